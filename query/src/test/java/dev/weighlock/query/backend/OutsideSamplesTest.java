package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is seen of a query's memory from outside, and when nothing is. */
@Timeout(60)
class OutsideSamplesTest {
    private volatile OptionalLong memory = OptionalLong.of(100);
    private volatile int reads;
    private final OutsideSamples samples = new OutsideSamples(this::read);

    private synchronized OptionalLong read() {
        reads++;
        return memory;
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

    @Test
    void queryThatNobodyLookedAt_hasNoSample() {
        memory = OptionalLong.of(100);

        assertThat(samples.begin(true).end()).isEmpty();
        assertThat(samples.begin(false).end()).isEmpty();
    }

    @Test
    void queriesThatRanAtTheSameTime_haveNoSample_andTheNextOneHas() {
        var first = samples.begin(true);
        awaitALook();
        var second = samples.begin(false);
        second.end();

        assertThat(first.end()).isEmpty();

        var next = samples.begin(true);
        awaitALook();
        assertThat(next.end()).hasValue(0);
    }

    @Test
    void systemThatDoesNotTell_givesNoSample() {
        memory = OptionalLong.empty();
        var watch = samples.begin(true);

        assertThat(watch.end()).isEmpty();
    }
}
