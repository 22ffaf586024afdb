package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Typed values mean the same in every format, printed or written to a file, whatever the time zone of the machine. */
class GoldenValuesTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"})
    void values_inEveryFormatAndTimeZone_areTheGoldenOnes(String zone) throws Exception {
        List<GoldenValue> values = GoldenValue.all();
        assertThat(values).hasSizeGreaterThanOrEqualTo(40);
        Files.writeString(folder.resolve("query.sql"), GoldenValue.sql(values));

        runIn(zone);

        String csv = header(values) + values.stream().map(GoldenValue::csv).collect(Collectors.joining(",")) + "\n";
        assertThat(folder.resolve("csv.out")).hasContent(csv);
        assertThat(folder.resolve("file.csv")).hasContent(csv);
        assertThat(folder.resolve("parquet.out")).hasContent(csv);
        assertThat(folder.resolve("file.arrow.csv")).hasContent(csv);
        assertThat(folder.resolve("stream.arrow.csv")).hasContent(csv);
        assertTable(values);
        assertDocument(values);
        assertObjects(values, "jsonl.out");
        assertObjects(values, "file.jsonl");
    }

    private void runIn(String zone) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-Duser.timezone=" + zone,
                        "-cp",
                        System.getProperty("java.class.path"),
                        GoldenChild.class.getName(),
                        folder.toString())
                .directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        assertThat(child.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
    }

    private static String header(List<GoldenValue> values) {
        return IntStream.range(0, values.size())
                .mapToObj(column -> "c" + column)
                .collect(Collectors.joining(",", "", "\n"));
    }

    /** A table shows control characters as blanks. */
    private void assertTable(List<GoldenValue> values) throws Exception {
        String row = Files.readAllLines(folder.resolve("table.out")).get(2);
        int from = 0;
        for (GoldenValue value : values) {
            String text = value.text().replace("\\t", " ");
            int at = row.indexOf(text, from);
            assertThat(at).as(value.expression() + " in " + row).isNotNegative();
            from = at + text.length();
        }
    }

    private void assertDocument(List<GoldenValue> values) throws Exception {
        JsonNode document = JSON.readTree(Files.readString(folder.resolve("json.out")));
        for (int column = 0; column < values.size(); column++) {
            GoldenValue value = values.get(column);
            assertThat(document.at("/columns/" + column + "/type").asString())
                    .as(value.expression())
                    .isEqualTo(value.type());
            assertSame(value, document.at("/rows/0/" + column));
        }
    }

    private void assertObjects(List<GoldenValue> values, String file) throws Exception {
        JsonNode row = JSON.readTree(Files.readString(folder.resolve(file)));
        assertThat(row.size()).isEqualTo(values.size());
        for (int column = 0; column < values.size(); column++) {
            assertSame(values.get(column), row.get("c" + column));
        }
    }

    /** Equal in value and in kind: 0.10 and 0.1 are one number, 0.1 and "0.1" are not one value. */
    private static void assertSame(GoldenValue value, JsonNode actual) {
        JsonNode golden = JSON.readTree(value.json());
        boolean same = golden.equals(GoldenValuesTest::compare, actual);
        assertThat(same)
                .as(value.expression() + ": " + actual + " is not " + golden)
                .isTrue();
    }

    private static int compare(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    }
}
