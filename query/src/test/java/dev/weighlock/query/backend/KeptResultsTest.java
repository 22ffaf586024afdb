package dev.weighlock.query.backend;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowBatch;
import dev.weighlock.query.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When kept results end, on a clock that the test moves. */
@Timeout(300)
class KeptResultsTest {
    private static final Duration TIME = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock();
    private final DeviceLedger device = ledger(host(0, 1_000, 4), clock);
    private final KeptResults kept = new KeptResults(new KeptResultLimits(TIME, 3, 1_000), clock);

    @AfterEach
    void close() {
        kept.close();
    }

    /** Ten rows of one byte each in pages of four, in a grant of its own. */
    private PagedResult result() {
        var columns = List.of(new ResultColumn("n", "INTEGER"));
        var rows = IntStream.range(0, 10)
                .mapToObj(n -> Row.of(columns, new @Nullable Object[] {n}))
                .toList();
        var built = new PageBuilder(4, 1_000);
        built.begin(columns, 1_000);
        built.put(new RowBatch(rows, 10));
        built.end();
        try (var grant = device.tryAdmit(request(200)).orElseThrow()) {
            var result = PagedResult.prepare(AttemptId.mint(), built, grant, kept);
            grant.publishFreeze();
            kept.keep(result);
            return result;
        }
    }

    private long charged() {
        return device.snapshot().frozenResidentBytes();
    }

    @Test
    void pages_areReadInAnyOrder_asOftenAsWanted() {
        var result = result();

        assertThat(result.pages()).isEqualTo(3);
        assertThat(result.rows()).isEqualTo(10);
        assertThat(charged()).isEqualTo(result.bytes()).isEqualTo(10);
        assertThat(device.snapshot().active()).isZero();
        for (var number : new int[] {2, 0, 1, 2}) {
            try (var page = result.page(number).orElseThrow()) {
                assertThat(page.number()).isEqualTo(number);
                assertThat(page.rows()).hasSize(number == 2 ? 2 : 4);
                assertThat(page.rows().getFirst().value(0)).isEqualTo(number * 4);
            }
        }
        result.close();
        assertThat(result.ending()).contains(PagedResult.Ending.CLOSED);
        assertThat(charged()).isZero();
    }

    @Test
    void time_endsAResult_andReadingDoesNotProlongIt() {
        var result = result();
        clock.advance(TIME.minusNanos(1));
        result.page(0).orElseThrow().close();
        kept.expireDue();
        assertThat(result.ending()).isEmpty();
        assertThat(result.timeLeft()).isEqualTo(Duration.ofNanos(1));

        clock.advanceNanos(1);
        kept.expireDue();

        assertThat(result.ending()).contains(PagedResult.Ending.EXPIRED);
        assertThat(result.page(0)).isEmpty();
        assertThat(result.timeLeft()).isZero();
        assertThat(kept.results()).isEmpty();
        assertThat(charged()).isZero();
        assertThat(device.health().isOpen()).isTrue();
    }

    @Test
    void count_endsTheLongestUnread() {
        var first = result();
        clock.advanceNanos(1);
        var second = result();
        clock.advanceNanos(1);
        var third = result();
        clock.advanceNanos(1);
        first.page(0).orElseThrow().close();

        var fourth = result();

        assertThat(kept.results()).containsExactly(first, third, fourth);
        assertThat(second.ending()).contains(PagedResult.Ending.CROWDED_OUT);
        assertThat(charged()).isEqualTo(30);
    }

    @Test
    void count_sparesAResultThatIsBeingRead() {
        var first = result();
        var open = first.page(0).orElseThrow();
        clock.advanceNanos(1);
        var second = result();
        clock.advanceNanos(1);
        result();

        var _ = result();

        assertThat(first.ending()).isEmpty();
        assertThat(second.ending()).contains(PagedResult.Ending.CROWDED_OUT);
        open.close();
    }

    @Test
    void expiry_duringARead_leavesThePageReadableAndChargedUntilItIsClosed() {
        var result = result();
        var page = result.page(1).orElseThrow();
        clock.advance(TIME);

        kept.expireDue();

        assertThat(result.ending()).contains(PagedResult.Ending.EXPIRED);
        assertThat(result.page(1)).isEmpty();
        assertThat(page.rows()).hasSize(4);
        assertThat(charged()).isEqualTo(10);
        page.close();
        page.close();
        assertThat(charged()).isZero();
        assertThat(device.report().grants()).isEmpty();
        assertThat(device.health().isOpen()).isTrue();
    }

    @Test
    void result_thatComesAfterTheClose_endsAtOnce() {
        var before = result();
        kept.close();

        var late = result();

        assertThat(List.of(before, late))
                .allSatisfy(result -> assertThat(result.ending()).contains(PagedResult.Ending.BACKEND_CLOSED));
        assertThat(charged()).isZero();
    }

    @Test
    void readersAndExpiry_atOnce_neverSeeHalfAResult_andChargeNothingAfterwards() throws Exception {
        for (var round = 0; round < 200; round++) {
            var result = result();
            var start = new CyclicBarrier(3);
            Callable<Boolean> reader = () -> {
                start.await();
                for (var page = result.page(2); page.isPresent(); page = result.page(2)) {
                    try (var open = page.get()) {
                        assertThat(open.rows()).hasSize(2);
                    }
                }
                return true;
            };
            try (var threads = Executors.newFixedThreadPool(2)) {
                var readers = List.of(threads.submit(reader), threads.submit(reader));
                start.await();
                clock.advance(TIME);
                kept.expireDue();
                for (var each : readers) {
                    assertThat(each.get()).isTrue();
                }
            }
            assertThat(charged()).isZero();
            assertThat(device.health().isOpen()).isTrue();
        }
    }
}
