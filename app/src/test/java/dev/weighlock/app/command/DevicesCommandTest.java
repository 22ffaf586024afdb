package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DevicesCommandTest {
    private static final long MIB = 1L << 20;

    @TempDir
    Path folder;

    @BeforeEach
    void configure() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), """
                devices: {host: {limit: 1GiB, headroom: 64MiB, reserve: 160MiB, cache: 100MiB, max_active: 4}}
                pools: {default: {weight: 1}, nightly: {weight: 3, max_running: 2, max_cap: 128MiB}}
                """);
    }

    @Test
    void devices_asText_showsTheArithmeticAndThePools() throws Exception {
        assertThat(wl("devices").out())
                .containsPattern("limit +1.0 GiB")
                .containsPattern("- headroom +64.0 MiB")
                .containsPattern("- reserve +160 MiB")
                .containsPattern("= capacity M +800 MiB")
                .containsPattern("- cache K +100 MiB")
                .containsPattern("= queries Q +700 MiB")
                .containsPattern("default cap +175 MiB")
                .containsPattern("max active +4 +queries at once")
                .containsPattern("nightly +3 +2 +1,000 +5 min 00 s +128 MiB")
                .contains("nobody holds a claim");
    }

    @Test
    void devices_asJson_givesBytes() throws Exception {
        JsonNode device = json(wl("devices", "--json")).at("/devices/0");

        assertThat(device.get("limit_bytes").asLong()).isEqualTo(1024 * MIB);
        assertThat(device.get("managed_capacity_bytes").asLong()).isEqualTo(800 * MIB);
        assertThat(device.get("query_share_bytes").asLong()).isEqualTo(700 * MIB);
        assertThat(device.get("default_cap_bytes").asLong()).isEqualTo(175 * MIB);
    }

    @Test
    void devices_whileACommandRuns_namesItAndWhatItClaims() throws Exception {
        Map<String, String> budget =
                Map.of("WEIGHLOCK_BUDGET_FOLDER", folder.resolve("budget").toString());
        String endless = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";
        try (WlProcess query = WlProcess.start(folder, budget, "query", endless)) {
            query.awaitThat("a claim is held", () -> !holders(budget).isEmpty());

            JsonNode holder = holders(budget).getFirst();
            assertThat(holder.get("command").asString()).isEqualTo("wl query");
            assertThat(holder.get("bytes").asLong()).isGreaterThan(1024 * MIB);
        }
    }

    private List<JsonNode> holders(Map<String, String> budget) {
        try (WlProcess wl = WlProcess.start(folder, budget, "devices", "--json")) {
            return json(wl.await()).at("/budget/holders").valueStream().toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }

    private static JsonNode json(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return JsonMapper.shared().readTree(outcome.out());
    }
}
