package dev.weighlock.batch.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void wait_exponential_doublesUpToItsCap() {
        var backoff = Backoff.exponential(SECOND, Duration.ofSeconds(5));

        assertThat(IntStream.of(1, 2, 3, 4, 1000).mapToObj(retry -> backoff.wait(retry, new Random(1))))
                .containsExactly(
                        SECOND,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5));
    }

    @Test
    void wait_noneAndFixed_areWhatTheySay() {
        assertThat(Backoff.NONE.wait(1000, new Random(1))).isZero();
        assertThat(Backoff.fixed(SECOND).wait(1000, new Random(1))).isEqualTo(SECOND);
    }

    @Test
    void wait_withJitter_isShortenedByNoMoreThanItsPart() {
        var backoff = new Backoff(SECOND, SECOND, 1, 0.25);
        long seed = 4711;
        var random = new Random(seed);

        var waits = IntStream.range(0, 1000)
                .mapToObj(retry -> backoff.wait(1, random))
                .toList();

        assertThat(waits).as("seed " + seed).allMatch(wait -> wait.toMillis() >= 750 && wait.compareTo(SECOND) <= 0);
        assertThat(waits.stream().distinct().count()).isGreaterThan(900);
    }

    @Test
    void backoff_thatMakesNoSense_isRefused() {
        assertThatThrownBy(() -> new Backoff(SECOND, Duration.ZERO, 2, 0)).hasMessageContaining("initial <= max");
        assertThatThrownBy(() -> new Backoff(SECOND, SECOND, 0.5, 0)).hasMessageContaining("factor");
        assertThatThrownBy(() -> new Backoff(SECOND, SECOND, 2, 1.5)).hasMessageContaining("jitter");
    }
}
