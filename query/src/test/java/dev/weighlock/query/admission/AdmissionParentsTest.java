package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.error;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Attempts inside attempts: nobody waits for room that is given back only after it. */
class AdmissionParentsTest {
    private static final long SEED = 20261207;

    @Test
    void child_thatNeedsItsParentsRoom_isRefusedAtOnce() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 4));
        Grant parent = admission.admitted(60);

        QueryException refusal = admission.refused(below(parent, 41));
        assertThat(refusal.facts().has(Reason.WOULD_WAIT_ON_ITSELF)).isTrue();
        assertThat(refusal).hasMessageContaining("its own parents hold");
        Grant child = admission.admitted(below(parent, 40));
        AdmissionTicket sibling = admission.waiting(below(parent, 40));
        assertThat(admission.refused(below(child, 10)).facts().has(Reason.WOULD_WAIT_ON_ITSELF))
                .isTrue();
        child.close();
        grant(sibling).close();
        parent.close();
    }

    @Test
    void parentsThatWaitForEachOthersRoom_theOneThatClosesTheCircleIsRefused() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 4));
        Grant one = admission.admitted(bytes(40).withLabel("one"));
        Grant other = admission.admitted(bytes(40).withLabel("other"));
        AdmissionTicket waiting = admission.waiting(below(one, 50));

        QueryException refusal = admission.refused(below(other, 50));

        assertThat(refusal.facts().has(Reason.WOULD_WAIT_ON_ITSELF)).isTrue();
        assertThat(refusal).hasMessageContaining("(one, other)");
        Grant fits = admission.admitted(below(other, 20));
        fits.close();
        other.close();
        grant(waiting).close();
        one.close();
    }

    @Test
    void threeParentsInACircle_byAttemptSlots_areTold() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 3));
        Grant first = admission.admitted(10);
        Grant second = admission.admitted(10);
        Grant third = admission.admitted(10);
        AdmissionTicket ofFirst = admission.waiting(below(first, 10));
        AdmissionTicket ofSecond = admission.waiting(below(second, 10));

        assertThat(admission.refused(below(third, 10)).facts().has(Reason.WOULD_WAIT_ON_ITSELF))
                .isTrue();
        third.close();
        grant(ofFirst).close();
        grant(ofSecond).close();
        first.close();
        second.close();
    }

    @Test
    void parentsThatFillAPool_waitForNobodyElsesEnd() {
        AdmissionFixture admission = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(PoolConfig.named("narrow").withMaxRunning(2)), ledger(0, 100, 8));
        Grant one = admission.admitted(bytes(10).withPool("narrow"));
        Grant other = admission.admitted(bytes(10).withPool("narrow"));
        AdmissionTicket waiting = admission.waiting(below(one, 10).withPool("narrow"));

        assertThat(admission
                        .refused(below(other, 10).withPool("narrow"))
                        .facts()
                        .has(Reason.WOULD_WAIT_ON_ITSELF))
                .isTrue();
        other.close();
        grant(waiting).close();
        one.close();
    }

    @Test
    void parentWhoseAttemptIsOver_holdsItsRoomForAWhileOnly() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 4));
        Grant one = admission.admitted(40);
        Grant over = admission.admitted(40);
        AdmissionTicket ofOver = admission.waiting(below(over, 50));
        admission.service.beginCleaning(over, "cancelled", () -> {});

        AdmissionTicket ofOne = admission.waiting(below(one, 50));

        ofOver.giveUp();
        over.close();
        grant(ofOne).close();
        one.close();
    }

    @Test
    void roomKeptForALargeHead_doesNotHoldBackWhomItsHolderWaitsFor() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 64));
        Grant parent = admission.admitted(60);
        AdmissionTicket large = admission.waiting(90);
        for (int small = 0; small < 16; small++) {
            admission.admitted(1).close();
        }
        AdmissionTicket stranger = admission.waiting(10);
        assertThat(stranger.waitReason().orElseThrow().kind()).isEqualTo(WaitReason.Kind.ROOM_KEPT);

        admission.admitted(below(parent, 10)).close();

        assertThat(large.outcome()).isEmpty();
        parent.close();
        grant(large).close();
        grant(stranger).close();
    }

    @Test
    void deviceThatCloses_leavesACircle_whichIsTold() {
        DeviceLedger spare = ledger(1, 100, 4);
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 101, 4), spare);
        Grant one = admission.admitted(40);
        Grant elsewhere = admission.admitted(100);
        Grant other = admission.admitted(40);
        assertThat(List.of(one.deviceOrdinal(), elsewhere.deviceOrdinal(), other.deviceOrdinal()))
                .containsExactly(0, 1, 0);
        AdmissionTicket first = admission.waiting(below(one, 50));
        AdmissionTicket second = admission.waiting(below(other, 50));

        spare.closeAdmissionIfOpen("device fault");

        assertThat(error(second).facts().has(Reason.WOULD_WAIT_ON_ITSELF)).isTrue();
        assertThat(first.outcome()).isEmpty();
        other.close();
        grant(first).close();
        one.close();
        elsewhere.close();
    }

    @Test
    void families_neverStandStill(TestReporter reporter) {
        families(Long.getLong("weighlock.seed", SEED), reporter);
    }

    @Tag("long")
    @Test
    void families_withAFreshSeed_neverStandStill(TestReporter reporter) {
        families(System.nanoTime(), reporter);
    }

    private static void families(long seed, TestReporter reporter) {
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        int circles = 0;
        for (int episode = 0; episode < 60; episode++) {
            circles += new Families(random, "seed " + seed + ", episode " + episode).run();
        }
        assertThat(circles).as("refused circles, seed %s", seed).isPositive();
    }

    private static AdmissionRequest below(Grant parent, long cap) {
        return bytes(cap).withParent(parent.identity().attempt());
    }

    /** Attempts that begin others and end only after them. */
    private static final class Families {
        private final Random random;
        private final String name;
        private final AdmissionFixture admission;
        private final Map<AttemptId, Grant> running = new LinkedHashMap<>();
        private final List<AdmissionTicket> waiting = new ArrayList<>();
        /** Attempts that are queued or running, with their parents. */
        private final Map<AttemptId, Optional<AttemptId>> open = new LinkedHashMap<>();

        private int circles;

        Families(Random random, String name) {
            this.random = random;
            this.name = name;
            DeviceLedger[] ledgers = new DeviceLedger[1 + random.nextInt(2)];
            for (int ordinal = 0; ordinal < ledgers.length; ordinal++) {
                ledgers[ordinal] = ledger(host(ordinal, 60 + random.nextInt(60), 2 + random.nextInt(4)));
            }
            admission = new AdmissionFixture(
                    AdmissionConfig.DEFAULT.withPools(
                            PoolConfig.named("a"), PoolConfig.named("b").withMaxRunning(2)),
                    ledgers);
        }

        /** How many circles were refused. */
        int run() {
            for (int step = 0; step < 300; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> request(null);
                    case 2, 3 -> request(anyRunning());
                    case 4 -> cancel();
                    default -> endOne();
                }
                collect();
            }
            while (!open.isEmpty()) {
                assertThat(endOne())
                        .as("%s: %s wait for each other", name, waiting.size())
                        .isTrue();
                collect();
            }
            return circles;
        }

        private void request(@Nullable AttemptId parent) {
            AdmissionRequest request = bytes(1 + random.nextInt(70)).withPool(random.nextBoolean() ? "a" : "b");
            request = parent == null ? request : request.withParent(parent);
            switch (admission.service.request(request)) {
                case AdmissionOutcome.Admitted admitted -> began(request, admitted.grant());
                case AdmissionTicket ticket -> {
                    waiting.add(ticket);
                    open.put(request.attempt(), request.parent());
                }
                case AdmissionOutcome.Refused refused ->
                    circles += refused.error().text().contains("wait for ever") ? 1 : 0;
            }
        }

        private void began(AdmissionRequest request, Grant grant) {
            running.put(request.attempt(), grant);
            open.put(request.attempt(), request.parent());
        }

        private @Nullable AttemptId anyRunning() {
            List<AttemptId> ids = List.copyOf(running.keySet());
            return ids.isEmpty() ? null : ids.get(random.nextInt(ids.size()));
        }

        private void cancel() {
            if (!waiting.isEmpty() && random.nextInt(4) == 0) {
                AdmissionTicket ticket = waiting.remove(random.nextInt(waiting.size()));
                assertThat(ticket.cancel()).isTrue();
                open.remove(ticket.request().attempt());
            }
        }

        /** Ends a running attempt that waits for no other; false when there is none. */
        private boolean endOne() {
            List<AttemptId> free = running.keySet().stream()
                    .filter(id -> !open.containsValue(Optional.of(id)))
                    .toList();
            if (free.isEmpty()) {
                return false;
            }
            AttemptId ending = free.get(random.nextInt(free.size()));
            open.remove(ending);
            Objects.requireNonNull(running.remove(ending)).close();
            return true;
        }

        private void collect() {
            waiting.removeIf(ticket -> {
                ticket.outcome().ifPresent(outcome -> began(ticket.request(), grant(outcome)));
                return ticket.outcome().isPresent();
            });
        }
    }
}
