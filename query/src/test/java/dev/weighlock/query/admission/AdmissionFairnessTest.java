package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.facts;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.LedgerReport;
import dev.weighlock.query.device.QueryCap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionFairnessTest {
    private static final long MIB = 1L << 20;

    @Test
    void largeHead_isPassedSixteenTimesAcrossPools_andThenRoomIsKeptForIt() {
        AdmissionFixture admission = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(PoolConfig.named("default"), PoolConfig.named("other")),
                ledger(0, 768 * MIB, 64));
        Grant running = admission.admitted(600 * MIB);
        AdmissionTicket large = admission.waiting(700 * MIB);
        Deque<Grant> flow = new ArrayDeque<>();
        int passed = 0;
        AdmissionTicket held = null;
        for (int small = 0; held == null; small++) {
            AdmissionDecision decision =
                    admission.service.request(bytes(20 * MIB).withPool(small % 2 == 0 ? "default" : "other"));
            if (decision instanceof AdmissionTicket ticket) {
                held = ticket;
            } else {
                passed++;
                flow.add(grant(decision));
                if (flow.size() > 4) {
                    flow.removeFirst().close();
                }
            }
        }

        assertThat(passed).isEqualTo(16);
        assertThat(held.waitReason().orElseThrow().kind()).isEqualTo(WaitReason.Kind.ROOM_KEPT);
        flow.forEach(Grant::close);
        assertThat(large.outcome()).isEmpty();
        running.close();
        assertThat(facts(large).passes()).isEqualTo(16);
        assertThat(grant(held).bytes()).isEqualTo(20 * MIB);
        grant(large).close();
        grant(held).close();
    }

    @Test
    void keptRoom_ofACancelledHead_isFreeAgain() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 64));
        Grant running = admission.admitted(60);
        AdmissionTicket large = admission.waiting(90);
        for (int small = 0; small < 16; small++) {
            admission.admitted(1).close();
        }
        AdmissionTicket next = admission.waiting(1);

        large.cancel();

        grant(next).close();
        running.close();
    }

    @Test
    void keptRoom_goesToTheEarlierOne_whosePoolWasFullMeanwhile() {
        AdmissionFixture admission = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(
                        PoolConfig.named("wide"), PoolConfig.named("narrow").withMaxRunning(1)),
                ledger(0, 100, 64));
        Grant first = admission.admitted(bytes(30).withPool("wide"));
        Grant second = admission.admitted(bytes(30).withPool("wide"));
        AdmissionTicket early = admission.waiting(bytes(90).withPool("narrow"));
        for (int small = 0; small < 15; small++) {
            admission.admitted(bytes(1).withPool("wide")).close();
        }
        Grant fillsThePool = admission.admitted(bytes(1).withPool("narrow"));
        AdmissionTicket late = admission.waiting(bytes(50).withPool("wide"));
        for (int small = 0; small < 16; small++) {
            admission.admitted(bytes(1).withPool("wide")).close();
        }
        AdmissionTicket last = admission.waiting(bytes(1).withPool("wide"));

        fillsThePool.close();
        first.close();
        assertThat(late.outcome()).isEmpty();
        second.close();

        assertThat(facts(early).passes()).isEqualTo(16);
        assertThat(late.outcome()).isEmpty();
        grant(early).close();
        grant(late).close();
        grant(last).close();
    }

    @Test
    void saturatedPools_shareByTheirWeights() {
        DeviceLedger device = ledger(0, 400 * MIB, 4);
        AdmissionFixture admission = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(
                        PoolConfig.named("one"), PoolConfig.named("three").withWeight(3)),
                device);
        Map<String, Long> used = new HashMap<>();
        Deque<AdmissionTicket> running = new ArrayDeque<>();
        try (Grant blocker = device.tryAdmit(request(400 * MIB)).orElseThrow()) {
            assertThat(blocker.bytes()).isEqualTo(400 * MIB);
            for (int round = 0; round < 50; round++) {
                running.add(ask(admission, "one"));
                running.add(ask(admission, "three"));
            }
        }
        for (int round = 0; round < 4_000; round++) {
            AdmissionTicket done = running.stream()
                    .filter(ticket -> ticket.outcome().isPresent())
                    .min(Comparator.comparingLong(ticket -> facts(ticket).sequence()))
                    .orElseThrow();
            running.remove(done);
            admission.clock.advance(Duration.ofMillis(1));
            used.merge(
                    done.request().pool(), admission.clock.nanos() - facts(done).admittedNanos(), Long::sum);
            running.add(ask(admission, done.request().pool()));
            grant(done).close();
        }

        long one = used.getOrDefault("one", 0L);
        long three = used.getOrDefault("three", 0L);
        assertThat(three / (double) (one + three)).isCloseTo(0.75, within(0.0375));
        admission.service.close();
        running.stream().map(ticket -> ticket.outcome().orElseThrow()).forEach(outcome -> {
            if (outcome instanceof AdmissionOutcome.Admitted admitted) {
                admitted.grant().close();
            }
        });
    }

    @Test
    void firstGuessOfHowLongGrantsAreHeld_setsNoPoolBack() {
        AdmissionFixture admission = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(
                        PoolConfig.named("one"), PoolConfig.named("three").withWeight(3)),
                ledger(0, 400 * MIB, 4));
        Deque<Asked> asked = new ArrayDeque<>();
        for (int round = 0; round < 16; round++) {
            asked.add(Asked.of(admission, "one"));
            asked.add(Asked.of(admission, "three"));
        }
        Map<String, Long> used = new HashMap<>();
        for (int round = 0; round < 400; round++) {
            Asked done = asked.stream()
                    .filter(one -> one.outcome().isPresent())
                    .min(Comparator.comparingLong(one -> one.facts().sequence()))
                    .orElseThrow();
            asked.remove(done);
            admission.clock.advance(Duration.ofMillis(1));
            used.merge(done.pool(), admission.clock.nanos() - done.facts().admittedNanos(), Long::sum);
            asked.add(Asked.of(admission, done.pool()));
            grant(done.outcome().orElseThrow()).close();
        }

        long one = used.getOrDefault("one", 0L);
        long three = used.getOrDefault("three", 0L);
        assertThat(three / (double) (one + three)).isCloseTo(0.75, within(0.02));
        admission.service.close();
        asked.forEach(rest -> rest.outcome().ifPresent(outcome -> {
            if (outcome instanceof AdmissionOutcome.Admitted admitted) {
                admitted.grant().close();
            }
        }));
    }

    /** A request, admitted at once or queued. */
    private record Asked(String pool, AdmissionDecision decision) {
        static Asked of(AdmissionFixture admission, String pool) {
            return new Asked(pool, admission.service.request(bytes(100 * MIB).withPool(pool)));
        }

        AdmissionFacts facts() {
            return ((AdmissionOutcome.Admitted) outcome().orElseThrow()).facts();
        }

        Optional<AdmissionOutcome> outcome() {
            return switch (decision) {
                case AdmissionOutcome outcome -> Optional.of(outcome);
                case AdmissionTicket ticket -> ticket.outcome();
            };
        }
    }

    private static AdmissionTicket ask(AdmissionFixture admission, String pool) {
        return admission.waiting(bytes(100 * MIB).withPool(pool));
    }

    @Test
    void poolAtItsLimit_lets_othersRun_andGoesOnWhenOneEnds() {
        AdmissionFixture admission = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(
                        PoolConfig.named("narrow").withMaxRunning(1),
                        PoolConfig.named("wide").withMaxQueued(1)),
                ledger(0, 100, 8));
        Grant first = admission.admitted(bytes(10).withPool("narrow"));
        AdmissionTicket second = admission.waiting(bytes(10).withPool("narrow"));
        assertThat(second.waitReason().orElseThrow().kind()).isEqualTo(WaitReason.Kind.POOL_LIMIT);

        Grant wide = admission.admitted(bytes(80).withPool("wide"));
        first.close();
        grant(second).close();
        wide.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 23169364317130L, 301975281321L})
    void whateverCanFit_isAdmitted_andNobodyWaitsForEver_withAGivenSeed(long seed, TestReporter reporter) {
        randomAdmissions(seed, reporter);
    }

    @Test
    void whateverCanFit_isAdmitted_andNobodyWaitsForEver(TestReporter reporter) {
        randomAdmissions(Long.getLong("weighlock.seed", 20261205), reporter);
    }

    @Tag("long")
    @Test
    void whateverCanFit_isAdmitted_andNobodyWaitsForEver_withAFreshSeed(TestReporter reporter) {
        randomAdmissions(System.nanoTime(), reporter);
    }

    private static void randomAdmissions(long seed, TestReporter reporter) {
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        for (int episode = 0; episode < 40; episode++) {
            new RandomAdmissions(random, "seed " + seed + ", episode " + episode).run();
        }
    }

    /** Random requests, releases and cancels on one to three devices, checked against brute force after each. */
    private static final class RandomAdmissions {
        private final Random random;
        private final String name;
        private final AdmissionFixture admission;
        private final List<AdmissionTicket> waiting = new ArrayList<>();
        private final List<Grant> running = new ArrayList<>();

        RandomAdmissions(Random random, String name) {
            this.random = random;
            this.name = name;
            int devices = 1 + random.nextInt(3);
            DeviceLedger[] ledgers = new DeviceLedger[devices];
            for (int ordinal = 0; ordinal < devices; ordinal++) {
                ledgers[ordinal] = ledger(host(ordinal, 50 + random.nextInt(100), 1 + random.nextInt(6)));
            }
            admission = new AdmissionFixture(
                    AdmissionConfig.DEFAULT.withPools(
                            PoolConfig.named("a"),
                            PoolConfig.named("b").withWeight(4),
                            PoolConfig.named("c").withMaxRunning(2)),
                    ledgers);
        }

        void run() {
            for (int step = 0; step < 400; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3 -> request();
                    case 4 -> cancel();
                    default -> release();
                }
                collect();
                check(step);
            }
            while (!running.isEmpty()) {
                release();
                collect();
            }
            assertThat(waiting).as(name).isEmpty();
            assertThat(admission.service.snapshot().devices())
                    .allSatisfy(device -> assertThat(device.snapshot().active()).isZero());
        }

        private void request() {
            String pool = List.of("a", "b", "c").get(random.nextInt(3));
            QueryCap cap = random.nextInt(5) == 0 ? QueryCap.DEFAULT : QueryCap.of(1 + random.nextInt(90));
            switch (admission.service.request(
                    AdmissionRequest.of(AttemptId.mint(), cap).withPool(pool))) {
                case AdmissionOutcome.Admitted admitted -> running.add(admitted.grant());
                case AdmissionTicket ticket -> waiting.add(ticket);
                case AdmissionOutcome.Refused _ -> {}
            }
        }

        private void cancel() {
            if (!waiting.isEmpty()) {
                assertThat(waiting.remove(random.nextInt(waiting.size())).cancel())
                        .isTrue();
            }
        }

        private void release() {
            if (!running.isEmpty()) {
                admission.clock.advance(Duration.ofMillis(random.nextInt(20)));
                running.remove(random.nextInt(running.size())).close();
            }
        }

        private void collect() {
            waiting.removeIf(ticket -> {
                ticket.outcome().ifPresent(outcome -> running.add(grant(outcome)));
                return ticket.outcome().isPresent();
            });
        }

        /** By the public figures alone: what fits somewhere waits only where room is kept for one that was passed. */
        private void check(int step) {
            AdmissionSnapshot snapshot = admission.service.snapshot();
            boolean roomIsKept = snapshot.waiters().stream().anyMatch(row -> row.passes() >= 16);
            for (AdmissionSnapshot.WaiterRow row : snapshot.waiters()) {
                assertThat(row.passes()).as("%s, step %d: %s", name, step, row).isLessThanOrEqualTo(16);
                assertThat(row.reason().kind())
                        .as("%s, step %d: %s", name, step, row)
                        .isNotEqualTo(WaitReason.Kind.TURN);
                assertThat(roomIsKept || !fitsSomewhere(row, snapshot))
                        .as("%s, step %d: waits although it fits: %s", name, step, row)
                        .isTrue();
            }
        }

        private static boolean fitsSomewhere(AdmissionSnapshot.WaiterRow row, AdmissionSnapshot snapshot) {
            boolean poolIsFull = snapshot.pools().stream()
                    .anyMatch(
                            pool -> pool.name().equals(row.pool()) && row.pool().equals("c") && pool.running() >= 2);
            return !poolIsFull
                    && snapshot.devices().stream()
                            .map(LedgerReport::snapshot)
                            .anyMatch(device -> device.active() < device.maxActive()
                                    && device.capBytes(row.cap()) > 0
                                    && device.capBytes(row.cap()) <= device.availableBytes());
        }
    }
}
