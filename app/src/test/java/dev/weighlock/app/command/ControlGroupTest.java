package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.app.launcher.ControlGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Programs in a control group of one GiB. */
class ControlGroupTest {
    private static final long MIB = 1L << 20;
    private static final long HEAP = 256 * MIB;

    @TempDir
    Path folder;

    private ControlGroup group;

    @BeforeEach
    void makeGroup() throws Exception {
        group = ControlGroup.of(1024 * MIB, Files.createDirectory(folder.resolve("machine")));
    }

    @AfterEach
    void removeGroup() throws Exception {
        group.close();
    }

    private Outcome wl(String... words) throws Exception {
        try (WlProcess wl = WlProcess.startUnder(group.prefix(), folder, group.environment(), words)) {
            return wl.await();
        }
    }

    @Test
    void devices_inAGroup_shareItsLimitAndNameItAsTheSource() throws Exception {
        Outcome outcome = wl("devices", "--json");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        JsonNode document = JsonMapper.shared().readTree(outcome.out());

        assertThat(document.at("/budget/total_bytes").asLong()).isEqualTo(1024 * MIB);
        assertThat(document.at("/budget/source").asString()).startsWith("container limit (memory.");
        JsonNode device = document.at("/devices/0");
        // The JVM's maximum is a little below its -Xmx.
        assertThat(device.get("limit_bytes").asLong()).isBetween((1024 * MIB - HEAP) / 2, 1024 * MIB / 2 - HEAP / 3);
        assertThat(device.get("limit_source").asString())
                .contains("of 1024 MiB (container limit (memory.", "MiB for the JVM's heap");
        assertThat(wl("devices").out()).contains("container limit (memory.");
    }

    @Test
    void query_thatSpillsInAGroup_endsAndIsNotKilled() throws Exception {
        Outcome outcome = wl(
                "query",
                "SELECT count(*) AS rows FROM (SELECT i::VARCHAR || repeat('x', 60) x FROM range(2000000) t(i)"
                        + " ORDER BY x LIMIT 1999999)");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("1999999");
    }
}
