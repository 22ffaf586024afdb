package dev.weighlock.jobs.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathTemplateTest {
    @Test
    void parse_everyForm_isRead() {
        PathTemplate path = PathTemplate.parse("out/{day}/{partition}-{partition.nation}-{load.context.rows}.csv");

        assertThat(path.references())
                .isEqualTo(Set.of(
                        new Reference.Parameter("day"),
                        new Reference.PartitionKey(),
                        new Reference.PartitionColumn("nation"),
                        new Reference.StepContext("load", "rows")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a{", "a}", "{}", "{a.b}", "{ a}", "{partition.}", "a{b}}"})
    void parse_malformed_isRefused(String path) {
        assertThatThrownBy(() -> PathTemplate.parse(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "abc-_.9|abc-_.9",
                "a/b|a%2Fb",
                "..|%2E.",
                ".hidden|%2Ehidden",
                "a b|a%20b",
                "ä|%C3%A4",
                "50%|50%25",
                "*?[|%2A%3F%5B",
                "a\\b|a%5Cb"
            })
    void resolve_value_isOneEncodedElement(String value, String encoded) {
        assertThat(PathTemplate.parse("out/{x}.csv").resolve(reference -> value))
                .isEqualTo("out/" + encoded + ".csv");
    }

    @Test
    void resolve_newlineAndNul_areEncoded() {
        assertThat(PercentEncoding.encode("a\n\0")).isEqualTo("a%0A%00");
    }

    @Test
    void resolve_emptyValue_isRefused() {
        assertThatThrownBy(() -> PathTemplate.parse("out/{x}.csv").resolve(reference -> ""))
                .hasMessageContaining("the value of {x} in the path out/{x}.csv is empty");
    }

    @Test
    void sqlName_ofEachKind_isToldApart() {
        Set<String> steps = Set.of("load", "load_context_a");

        assertThat(Reference.ofSqlName("day", steps)).isEqualTo(new Reference.Parameter("day"));
        assertThat(Reference.ofSqlName("partition", steps)).isEqualTo(new Reference.PartitionKey());
        assertThat(Reference.ofSqlName("partition_nation", steps)).isEqualTo(new Reference.PartitionColumn("nation"));
        assertThat(Reference.ofSqlName("load_context_rows", steps))
                .isEqualTo(new Reference.StepContext("load", "rows"));
        assertThat(Reference.ofSqlName("other_context_rows", steps))
                .isEqualTo(new Reference.Parameter("other_context_rows"));
    }
}
