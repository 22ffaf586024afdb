package dev.weighlock.jobs.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFilesTest {
    @TempDir
    Path folder;

    private void create(String... names) throws IOException {
        for (String name : names) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, "a\n1\n");
        }
    }

    private List<String> find(String pattern) {
        return CsvFiles.find(folder, pattern).stream()
                .map(file -> folder.relativize(file).toString())
                .toList();
    }

    @Test
    void find_pattern_givesItsFilesByName() throws IOException {
        create("data/orders-2.csv", "data/orders-1.csv", "data/other.csv", "data/sub/orders-3.csv");

        assertThat(find("data/orders-*.csv")).containsExactly("data/orders-1.csv", "data/orders-2.csv");
        assertThat(find("data/**/*.csv")).containsExactly("data/sub/orders-3.csv");
        assertThat(find("data/*/orders-?.csv")).containsExactly("data/sub/orders-3.csv");
    }

    @Test
    void find_plainPath_isThatFile() throws IOException {
        create("data/a.csv");

        assertThat(find("data/a.csv")).containsExactly("data/a.csv");
        assertThat(find("data/b.csv")).isEmpty();
        assertThat(find("nowhere/*.csv")).isEmpty();
    }

    @Test
    void guess_columns_takeTheNarrowestType() throws IOException {
        Path file = folder.resolve("g.csv");
        Files.writeString(file, """
            i,d,day,ts,code,none,s
            1,1.5,2026-11-30,2026-11-30 06:00:00,007,,x
            2,2,2026-12-01,2026-12-01T06:00,042,,3
            """);

        assertThat(CsvSchemaGuess.of(file, "g.csv", CsvFormat.DEFAULT))
                .extracting(column -> column.name() + " " + column.type())
                .containsExactly(
                        "i BIGINT",
                        "d DOUBLE",
                        "day DATE",
                        "ts TIMESTAMP",
                        "code VARCHAR",
                        "none VARCHAR",
                        "s VARCHAR");
    }
}
