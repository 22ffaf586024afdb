package dev.weighlock.batch.stop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StopSourceTest {
    private final AtomicInteger asked = new AtomicInteger();

    /** Has no thread for the first so many. */
    private ThreadFactory lacking(int threads) {
        return body -> {
            int turn = asked.incrementAndGet();
            if (turn <= threads) {
                throw new OutOfMemoryError("no thread " + turn);
            }
            return Thread.ofPlatform().daemon().unstarted(body);
        };
    }

    @Test
    void stop_whenThreadsOfActionsCannotStart_tellsAllOthersAndThrowsTheFirst() throws Exception {
        var heard = new CountDownLatch(1);
        var source = new StopSource(lacking(2));
        source.token().onStop(() -> {});
        source.token().onStop(() -> {});
        source.token().onStop(heard::countDown);
        try (var child = new StopSource(source.token())) {
            assertThatThrownBy(source::stop)
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("no thread 1")
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .extracting(Throwable::getMessage)
                            .isEqualTo("no thread 2"));

            assertThat(child.token().isStopRequested()).isTrue();
        }
        assertThat(heard.await(300, TimeUnit.SECONDS)).isTrue();
        assertThat(source.token().isStopRequested()).isTrue();
    }

    @Test
    void stop_whenAnActionOfAChildCannotStart_tellsTheNextChild() {
        var source = new StopSource();
        try (var first = new StopSource(lacking(1), source.token());
                var second = new StopSource(source.token())) {
            first.token().onStop(() -> {});

            assertThatThrownBy(source::stop).hasMessage("no thread 1");

            assertThat(first.token().isStopRequested()).isTrue();
            assertThat(second.token().isStopRequested()).isTrue();
        }
    }
}
