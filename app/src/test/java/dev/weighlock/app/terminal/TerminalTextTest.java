package dev.weighlock.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.terminal.ProgressRow.Memory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTextTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void units_readAsPeopleWriteThem() {
        assertThat(Units.bytes(512)).isEqualTo("512 B");
        assertThat(Units.bytes(12_897_485)).isEqualTo("12.3 MiB");
        assertThat(Units.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Units.duration(Duration.ofMillis(42))).isEqualTo("42 ms");
        assertThat(Units.duration(Duration.ofSeconds(125))).isEqualTo("2 min 05 s");
    }

    @Test
    void table_alignsNumbersRight_andKeepsControlCharactersOut() {
        Table table = new Table("name", "#rows").row("a", "1").row("b\u001b[2J", "1,000");

        assertThat(table.lines()).containsExactly("name    rows", "a          1", "b [2J  1,000");
    }

    @Test
    void json_writesNestedValuesAndEscapes() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("text", "a\"b");
        document.put("numbers", new ArrayList<>(Arrays.asList(1, 2L, 2.5, true, null)));

        assertThat(Json.text(document)).isEqualTo("{\"text\":\"a\\\"b\",\"numbers\":[1,2,2.5,true,null]}");
    }

    @Test
    void board_piped_saysEachStateOnceWithoutControlCharacters() {
        ProgressBoard board = new ProgressBoard(out, false, 100);
        board.show(List.of(row("STARTED", true, 10)), 0);
        board.show(List.of(row("STARTED", true, 20)), 1_000_000_000L);
        board.show(List.of(row("COMPLETED", false, 40)), 2_000_000_000L);

        assertThat(printed().lines()).hasSize(2);
        assertThat(printed())
                .doesNotContain("\u001b")
                .contains("load  COMPLETED")
                .contains("40 rows");
    }

    @Test
    void board_onATerminal_drawsInPlaceWithRateMemoryAndBar() {
        ProgressBoard board = new ProgressBoard(out, true, 160);
        board.show(List.of(row("STARTED", true, 0)), 0);
        board.show(List.of(row("STARTED", true, 2_000)), 2_000_000_000L);

        assertThat(printed())
                .contains("\u001b[1A\u001b[J", "2,000 rows  1,000/s", "1.0 MiB of 4.0 MiB granted", "[█████·", "left");
    }

    private static ProgressRow row(String state, boolean running, long rows) {
        return new ProgressRow(
                "load", false, state, running, rows, 1, 4, running ? new Memory(1 << 20, 4 << 20) : null);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
