package dev.weighlock.query.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.testing.LeakCheck;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.TestAttempts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class OpenHandleWatchTest {
    private final ManualClock clock = new ManualClock();
    private final BackendLifecycle lifecycle = TestAttempts.lifecycle(clock);

    @Test
    void forgottenPermit_isNamedOnceWithHolderAndAge() {
        List<String> named = new CopyOnWriteArrayList<>();
        try (var watch = new OpenHandleWatch(
                        lifecycle.openHandles(), Duration.ofDays(1), handle -> named.add(handle.toString()));
                var permit = lifecycle.beginDeviceResource("attempt 3")) {
            watch.look();
            assertThat(named).isEmpty();
            clock.advance(Duration.ofDays(2));
            watch.look();
            watch.look();
            assertThat(named).containsExactly(permit.scope() + " permit of attempt 3, open for PT48H");
        }
    }

    @Test
    void leakCheck_withSomethingOpen_failsAndNamesIt() {
        var check = new LeakCheck().watch(lifecycle.openHandles()).watch("grants", () -> List.of("grant 4"));
        var permit = lifecycle.beginObservation("attempt 5");

        assertThatThrownBy(check::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("OBSERVATION permit of attempt 5")
                .hasMessageContaining("grant 4");

        permit.close();
        assertThatCode(new LeakCheck().watch(lifecycle.openHandles())::close).doesNotThrowAnyException();
    }
}
