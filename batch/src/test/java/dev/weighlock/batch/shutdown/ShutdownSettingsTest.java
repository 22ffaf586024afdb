package dev.weighlock.batch.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ShutdownSettingsTest {
    private static final ShutdownSettings DEFAULT = ShutdownSettings.DEFAULT;

    @Test
    void settings_default_areThoseOfTheTable() {
        assertThat(DEFAULT)
                .isEqualTo(new ShutdownSettings(
                        Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(30)));
    }

    @Test
    void settings_atTheirBounds_areTaken() {
        bounds(DEFAULT::withDeadline, "shutdown deadline", Duration.ofSeconds(1), Duration.ofHours(1));
        bounds(
                DEFAULT.withDeadline(Duration.ofHours(1))::withTaskJoin,
                "task join deadline",
                Duration.ofSeconds(1),
                Duration.ofHours(1));
        bounds(DEFAULT::withTelemetryFlush, "telemetry flush deadline", Duration.ofMillis(100), Duration.ofSeconds(60));
        bounds(DEFAULT::withPoolClose, "pool close timeout", Duration.ofMillis(1), Duration.ofMinutes(5));
    }

    private static void bounds(
            Function<Duration, ShutdownSettings> setting, String name, Duration least, Duration most) {
        assertThat(setting.apply(least)).isNotEqualTo(setting.apply(most));
        refused(setting, least.minusNanos(1), name);
        refused(setting, most.plusNanos(1), name);
        refused(setting, Duration.ofSeconds(-1), name);
    }

    private static void refused(Function<Duration, ShutdownSettings> setting, Duration value, String name) {
        assertThatThrownBy(() -> setting.apply(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value.toString());
    }

    @Test
    void taskJoin_longerThanTheShutdown_isRefused() {
        assertThat(DEFAULT.withTaskJoin(DEFAULT.deadline()).taskJoin()).isEqualTo(DEFAULT.deadline());
        assertThatThrownBy(() -> DEFAULT.withTaskJoin(DEFAULT.deadline().plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("task join deadline")
                .hasMessageContaining("shutdown deadline");
    }
}
