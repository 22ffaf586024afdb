package dev.weighlock.jobs.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFileRowsTest {
    private static final List<CsvColumn> SCHEMA = List.of(
            new CsvColumn("id", ColumnType.parse("BIGINT").orElseThrow()),
            new CsvColumn("name", ColumnType.parse("varchar").orElseThrow()),
            new CsvColumn("total", ColumnType.parse("decimal(6, 2)").orElseThrow()),
            new CsvColumn("day", ColumnType.parse("DATE").orElseThrow()));

    @TempDir
    Path folder;

    private CsvFileRows open(String text) {
        return open(text, CsvFormat.DEFAULT);
    }

    private CsvFileRows open(String text, CsvFormat format) {
        Path file = folder.resolve("o.csv");
        try {
            Files.writeString(file, text, format.encoding());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        return CsvFileRows.open(file, "o.csv", format, SCHEMA);
    }

    private static List<CsvRow> all(CsvFileRows rows) {
        List<CsvRow> all = new ArrayList<>();
        for (Optional<CsvRow> row = rows.next(); row.isPresent(); row = rows.next()) {
            all.add(row.get());
        }
        return all;
    }

    private static List<@Nullable Object> values(CsvFileRows rows) {
        return rows.next().orElseThrow().values();
    }

    @Test
    void next_typedFields_areRead() {
        try (CsvFileRows rows = open("id,name,total,day\n1,Ann,2.5,2026-11-30\n")) {
            assertThat(values(rows)).containsExactly(1L, "Ann", new BigDecimal("2.50"), LocalDate.of(2026, 11, 30));
            assertThat(rows.next()).isEmpty();
        }
    }

    @Test
    void next_headerInAnotherOrderWithMoreColumns_isMatchedByName() {
        try (CsvFileRows rows = open("\uFEFFday,extra,total,name,id\n2026-11-30,x,1,Ann,7\n")) {
            assertThat(values(rows)).first().isEqualTo(7L);
        }
    }

    @Test
    void next_quotedFields_keepDelimitersQuotesAndLineEnds() {
        try (CsvFileRows rows = open("id,name,total,day\r\n1,\"a,\"\"b\"\"\r\nc\",,\r\n2,\"\",,\r\n")) {
            CsvRow first = rows.next().orElseThrow();
            assertThat(first.values()).containsExactly(1L, "a,\"b\"\r\nc", null, null);
            assertThat(rows.next().orElseThrow())
                    .satisfies(row -> assertThat(row.line()).isEqualTo(4))
                    .satisfies(row -> assertThat(row.values().get(1)).isEqualTo(""));
        }
    }

    @Test
    void next_otherDelimiterQuoteAndEncodingWithoutHeader_isRead() {
        CsvFormat format = new CsvFormat(false, ';', '\'', StandardCharsets.ISO_8859_1, Optional.empty());
        try (CsvFileRows rows = open("1;'ä;b';2;\n", format)) {
            assertThat(values(rows)).containsExactly(1L, "ä;b", new BigDecimal("2.00"), null);
        }
    }

    @Test
    void next_lateBadValue_namesFileLineColumnAndValueAndTheNextGoesOn() {
        StringBuilder text = new StringBuilder("id,name,total,day\n");
        for (int i = 2; i <= 40_000; i++) {
            text.append(i).append(",n,1.00,2026-11-30\n");
        }
        text.append("40001,n,12;5,2026-11-30\n40002,n,1,2026-11-30\n");
        try (CsvFileRows rows = open(text.toString())) {
            rows.skip(39_999);
            assertThatThrownBy(rows::next)
                    .isInstanceOf(CsvRecordException.class)
                    .hasMessage(
                            "o.csv:40001: column total: '12;5' is no DECIMAL(6,2); correct the value or the schema");
            assertThat(values(rows)).first().isEqualTo(40_002L);
            assertThat(rows.recordsRead()).isEqualTo(40_001);
        }
    }

    @Test
    void next_decimalWithADigitTooMany_isRefusedAndNotRounded() {
        try (CsvFileRows rows = open("id,name,total,day\n1,a,1.005,\n2,a,123456.1,\n")) {
            assertThatThrownBy(rows::next).hasMessageContaining("'1.005' is no DECIMAL(6,2)");
            assertThatThrownBy(rows::next).hasMessageContaining("'123456.1' is no DECIMAL(6,2)");
        }
    }

    @Test
    void next_wrongFieldCount_isABadRecord() {
        try (CsvFileRows rows = open("id,name,total,day\n1,a\n2,a,1,,\n3,a,1,\n")) {
            assertThatThrownBy(rows::next).hasMessage("o.csv:2: the record has 2 fields instead of 4; correct it");
            assertThatThrownBy(rows::next).hasMessageContaining("5 fields");
            assertThat(values(rows)).first().isEqualTo(3L);
        }
    }

    @Test
    void open_headerWithoutAColumn_isRefused() {
        assertThatThrownBy(() -> open("id;name;total;day\n"))
                .hasMessageStartingWith("o.csv:1: the header has no column 'id'");
    }

    @Test
    void open_emptyFile_hasNoRows() {
        try (CsvFileRows rows = open("")) {
            assertThat(all(rows)).isEmpty();
        }
    }

    @Test
    void open_missingFile_isRefused() {
        assertThatThrownBy(() -> CsvFileRows.open(folder.resolve("no.csv"), "no.csv", CsvFormat.DEFAULT, SCHEMA))
                .hasMessage("the file no.csv does not exist; check its name");
    }

    @Test
    void next_bytesThatAreNotTheEncoding_areRefused() throws IOException {
        Path file = folder.resolve("latin.csv");
        Files.writeString(file, "id,name,total,day\n1,ä,1,\n", StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> {
                    try (CsvFileRows rows = CsvFileRows.open(file, "latin.csv", CsvFormat.DEFAULT, SCHEMA)) {
                        rows.next();
                    }
                })
                .isInstanceOf(CsvException.class)
                .hasMessageContaining("check its encoding");
    }

    @Test
    void next_quoteThatNeverEnds_isRefused() {
        assertThatThrownBy(() -> {
                    try (CsvFileRows rows = open("id,name,total,day\n1,\"a,1,\n2,b,1,\n")) {
                        all(rows);
                    }
                })
                .isInstanceOf(CsvException.class);
    }

    @Test
    void open_gzip_isUnpackedByItsEnding() throws IOException {
        Path file = folder.resolve("o.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("id,name,total,day\n5,a,1,\n".getBytes(StandardCharsets.UTF_8));
        }
        try (CsvFileRows rows = CsvFileRows.open(file, "o.csv.gz", CsvFormat.DEFAULT, SCHEMA)) {
            assertThat(values(rows)).first().isEqualTo(5L);
        }
    }

    @Test
    void skip_beyondTheEnd_isRefused() {
        try (CsvFileRows rows = open("id,name,total,day\n1,a,1,\n")) {
            assertThatThrownBy(() -> rows.skip(2)).hasMessageContaining("has fewer than the 2 records");
        }
    }
}
