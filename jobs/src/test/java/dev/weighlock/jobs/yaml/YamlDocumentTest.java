package dev.weighlock.jobs.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class YamlDocumentTest {
    private final Problems problems = new Problems("f.yaml");

    private List<String> linesOf(String text) {
        YamlDocument.parse(text, problems);
        return problems.errors().stream().map(Problem::line).toList();
    }

    @Test
    void parse_map_givesKeysAndValuesWithTheirPlaces() {
        YamlNode.Entries root =
                YamlDocument.parse("a: 1\nb:\n  - x\n  - {c: y}\n", problems).orElseThrow();

        assertThat(root.entry("b").orElseThrow().keyAt()).isEqualTo(new Position(2, 1));
        assertThat(root.list("b").get(1).at()).isEqualTo(new Position(4, 5));
        assertThat(problems.errors()).isEmpty();
    }

    @Test
    void parse_blockText_placesTheTextOnTheLineBelowItsMark() {
        YamlNode.Entries root =
                YamlDocument.parse("sql: |\n  SELECT 1\n", problems).orElseThrow();

        assertThat(root.scalar("sql").orElseThrow().textAt().line()).isEqualTo(2);
    }

    @Test
    void parse_brokenYaml_isOneProblemWithItsLine() {
        assertThat(linesOf("a: 1\nb: [1, 2\nc: 3\n")).singleElement().asString().startsWith("f.yaml:");
    }

    @Test
    void parse_duplicateKey_namesBothLines() {
        assertThat(linesOf("a: 1\nb: 2\na: 3\n"))
                .containsExactly("f.yaml:3: the key 'a' stands twice; remove it here or on line 1");
    }

    @Test
    void parse_tag_isRefused() {
        assertThat(linesOf("a: !java.net.URL http\n"))
                .singleElement()
                .asString()
                .startsWith("f.yaml:1: the tag");
    }

    @Test
    void parse_secondDocument_isRefused() {
        assertThat(linesOf("a: 1\n---\nb: 2\n")).singleElement().asString().contains("a second document");
    }

    @Test
    void parse_thousandsOfBrackets_isRefusedBeforeTheStackEnds() {
        assertThat(linesOf("a:\n  " + "[".repeat(50_000) + "]".repeat(50_000) + "\n"))
                .singleElement()
                .asString()
                .contains("nested deeper than 32", "from line 2 on");
    }

    @Test
    void parse_emptyFile_isRefused() {
        assertThat(linesOf("")).containsExactly("f.yaml:1: the file is empty; write a map of keys");
    }

    @Test
    void parse_list_isRefused() {
        assertThat(linesOf("- a\n")).containsExactly("f.yaml:1: the file holds a list; write a map of keys");
    }

    @Test
    void parse_aliasesThatUnfoldWithoutEnd_areRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }

        assertThat(linesOf(bomb.toString())).singleElement().asString().contains("aliases");
    }

    @Test
    void parse_aliasToItself_isRefused() {
        assertThat(linesOf("a: &a [*a]\n")).isNotEmpty();
    }
}
