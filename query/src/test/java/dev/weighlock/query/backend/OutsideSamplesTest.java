package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is seen of a query's memory from outside, and when nothing is. */
@Timeout(300)
class OutsideSamplesTest {
    private volatile OptionalLong memory = OptionalLong.of(100);
    private volatile int reads;
    private final OutsideSamples samples = new OutsideSamples(this::read);

    private synchronized OptionalLong read() {
        reads++;
        return memory;
    }

    /** The first look is told, no later one. */
    private synchronized OptionalLong readOnce() {
        var first = reads == 0;
        return read().isPresent() && first ? memory : OptionalLong.empty();
    }

    @AfterEach
    void close() {
        samples.close();
    }

    /** Two looks have begun since, so the first has been taken. */
    private void awaitALook() {
        var before = reads;
        while (reads < before + 2) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void growth_isTheMostThatWasSeenAboveTheBeginning() {
        var watch = samples.begin(true);
        memory = OptionalLong.of(700);
        awaitALook();
        memory = OptionalLong.of(300);
        awaitALook();

        assertThat(watch.end()).hasValue(600);
    }

    @Test
    void growth_ofAQueryThatShrank_isZero() {
        var watch = samples.begin(true);
        memory = OptionalLong.of(40);
        awaitALook();

        assertThat(watch.end()).hasValue(0);
    }

    /** The memory at its beginning alone says nothing about the query. */
    @Test
    void queryThatEndedBeforeTheFirstLook_hasNoSample() {
        try (var once = new OutsideSamples(this::readOnce)) {
            var watch = once.begin(true);
            awaitALook();

            assertThat(watch.end()).isEmpty();
        }
    }

    /** So long that several looks would have been taken. */
    @Test
    void queryThatIsNotSampled_isNeverLookedAt() {
        var watch = samples.begin(false);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }

        assertThat(reads).isZero();
        assertThat(watch.end()).isEmpty();
    }

    @Test
    void queriesThatRanAtTheSameTime_haveNoSample_andTheNextOneHas() {
        var first = samples.begin(true);
        awaitALook();
        var second = samples.begin(true);
        awaitALook();

        assertThat(second.end()).isEmpty();
        assertThat(first.end()).isEmpty();

        var next = samples.begin(true);
        awaitALook();
        assertThat(next.end()).hasValue(0);
    }

    @Test
    void systemThatDoesNotTell_givesNoSample() {
        memory = OptionalLong.empty();
        var watch = samples.begin(true);
        memory = OptionalLong.of(700);
        assertThat(reads).isEqualTo(1);

        assertThat(watch.end()).isEmpty();
    }
}
