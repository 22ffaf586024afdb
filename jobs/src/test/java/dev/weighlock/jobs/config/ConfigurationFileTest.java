package dev.weighlock.jobs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.shutdown.ShutdownSettings;
import dev.weighlock.jobs.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationFileTest {
    private static final String WHOLE = """
            repository: {url: "sqlite:.weighlock/repository.db", control_url: null, heartbeat: 2s, lease: 20s, poll: 500ms}
            connections:
              shop: {url: "sqlite:work/shop.db", checkpoint: create}
              dw:   {url: "postgresql://db.example/dw", user: env:DW_USER, password: "file:secrets/dw", tls: {mode: verify-full, ca: ca.pem}}
            devices:   {host: {limit: 4GiB, headroom: auto, reserve: auto, cache: 0, max_active: 3, default_cap: 512MiB, threads: auto}}
            pools:     {default: {weight: 1, max_running: null, max_queued: 1000, max_wait: 5m, max_cap: null}, slow: {weight: 3, max_cap: 1GiB}}
            classpath: ["libs/*.jar"]
            logs:      {keep: 7d}
            shutdown:  {deadline: 20s, task_join: 10s, telemetry_flush: 1s, pool_close: 2s}
            """;

    @TempDir
    Path folder;

    private Configuration settings(String text) {
        return switch (ConfigurationFile.parse(folder.resolve("weighlock.yaml"), text)) {
            case ConfigurationFile.Read.Settings settings -> settings.configuration();
            case ConfigurationFile.Read.Refused refused -> throw new AssertionError(refused);
        };
    }

    private List<String> problems(String text) {
        return switch (ConfigurationFile.parse(Path.of("weighlock.yaml"), text)) {
            case ConfigurationFile.Read.Settings _ -> List.of();
            case ConfigurationFile.Read.Refused refused ->
                refused.problems().stream().map(Problem::line).toList();
        };
    }

    @Test
    void read_everyKey_isTaken() {
        Configuration settings = settings(WHOLE);

        assertThat(settings.repository().url()).contains("sqlite:.weighlock/repository.db");
        assertThat(settings.repository().controlUrl()).isEmpty();
        assertThat(settings.repository().lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(settings.shutdown())
                .isEqualTo(new ShutdownSettings(
                        Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(2)));
        assertThat(settings("shutdown: {deadline: 2s}").shutdown())
                .isEqualTo(ShutdownSettings.DEFAULT.withDeadline(Duration.ofSeconds(2)));
        assertThat(settings.connections().get("shop"))
                .extracting("createCheckpoint")
                .isEqualTo(true);
        assertThat(settings.devices().get("host")).extracting("maxActive").hasToString("OptionalInt[3]");
        assertThat(settings.pools().get("slow"))
                .extracting("weight", "maxQueued")
                .containsExactly(3, 1000);
        assertThat(settings.classpath()).containsExactly("libs/*.jar");
        assertThat(settings.keepLogs()).isEqualTo(Duration.ofDays(7));
    }

    @Test
    void read_secrets_showTheirPlaceAndNeverTheirValue() throws IOException {
        Files.createDirectories(folder.resolve("secrets"));
        Files.writeString(folder.resolve("secrets/dw"), "s3cret\n");
        Configuration.Connection dw =
                Objects.requireNonNull(settings(WHOLE).connections().get("dw"));

        assertThat(dw.password().orElseThrow().read(Map.of())).isEqualTo("s3cret");
        assertThat(dw.user().orElseThrow().read(Map.of("DW_USER", "me"))).isEqualTo("me");
        assertThat(dw.toString()).contains("file:secrets/dw").doesNotContain("s3cret");
        assertThatThrownBy(() -> dw.user().orElseThrow().read(Map.of())).hasMessageContaining("DW_USER is not set");
    }

    @Test
    void read_passwordWrittenOut_isNotPrinted() {
        Configuration settings = settings("connections: {a: {url: x, password: s3cret}}");

        assertThat(settings.toString()).doesNotContain("s3cret");
    }

    @Test
    void find_fromAFolderBelow_findsTheNearestAbove() throws IOException {
        Path below = Files.createDirectories(folder.resolve("a/b"));
        Files.writeString(folder.resolve("weighlock.yaml"), "logs: {keep: 1d}\n");

        assertThat(ConfigurationFile.nearest(below))
                .isInstanceOfSatisfying(ConfigurationFile.Read.Settings.class, read -> {
                    assertThat(read.configuration().folder()).isEqualTo(folder);
                    assertThat(read.configuration().keepLogs()).isEqualTo(Duration.ofDays(1));
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "repositry: {}                              | unknown key 'repositry' in the settings; did you mean 'repository'?",
                "repository: {heartbeat: 100ms}             | 'heartbeat' is outside 200ms to 1m",
                "repository: {lease: 2s}                    | 'lease' is shorter than three heartbeats",
                "repository: {poll: 5m}                     | 'poll' is outside 100ms to 1m",
                "repository: {url: [a]}                     | 'url' cannot be a list",
                "connections: {a: {}}                       | a connection has no 'url'",
                "connections: {a: {url: x, checkpoint: no}} | 'checkpoint' cannot be the value 'no'; write one of create, existing",
                "connections: {a: {url: x, tls: {mode: x}}} | 'mode' cannot be the value 'x'",
                "devices: {gpu: {}}                         | 'gpu' is not allowed under 'devices'",
                "devices: {host: {limit: 4GB}}              | 'limit' cannot be the value '4GB'; write auto or a size",
                "devices: {host: {threads: 0}}              | 'threads' cannot be the value '0'",
                "pools: {a: {weight: heavy}}                | 'weight' cannot be the value 'heavy'",
                "pools: {a: {max_wait: 5}}                  | 'max_wait' cannot be the value '5'",
                "classpath: libs                            | 'classpath' cannot be the value 'libs'",
                "logs: {keep: long}                         | 'keep' cannot be the value 'long'",
                "shutdown: {deadline: 2h}                   | the shutdown deadline must be between PT1S and PT1H, not PT2H",
                "shutdown: {deadline: 2s, task_join: 3s}    | the task join deadline, PT3S, must not be longer than the shutdown deadline, PT2S"
            })
    void read_badValue_isRefusedWithItsLine(String text, String message) {
        assertThat(problems(text))
                .anySatisfy(line ->
                        assertThat(line).startsWith("weighlock.yaml:1: ").contains(message));
    }
}
