package dev.weighlock.jobs.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.jobs.yaml.Problem;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.YamlDocument;
import dev.weighlock.jobs.yaml.YamlNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The page on job files has every key, accepted where its meaning is built; each of them refuses a wrong value. */
class JobFilePageTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, String> SQL = Map.of("report.sql", "SELECT 1 AS one");

    /** No key of the grammar takes a list of lists of lists. */
    private static final String WRONG = "[[[\"wrong\"]]]";

    @TempDir
    Path folder;

    private static YamlNode.Entries parsed(String text) {
        Problems problems = new Problems("job.yaml");
        YamlNode.Entries root = YamlDocument.parse(text, problems).orElseThrow();
        assertThat(problems.errors()).isEmpty();
        return root;
    }

    private JobFileReader.Read read(String text) {
        return JobFileReader.fromStored(new JobSource("job.yaml", folder, text, SQL));
    }

    @Test
    void examples_areSoundAndShowEveryKeyThatIsBuilt() {
        Set<String> shown = new TreeSet<>();
        for (String example : PageExamples.all()) {
            assertThat(read(example)).as(example).isInstanceOf(JobFileReader.Read.Sound.class);
            GrammarWalk.visit(parsed(example), (path, entry) -> shown.add(path));
        }

        Set<String> built = GrammarWalk.keys().entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        // A width is for fixed columns, whose reader is not built.
        built.removeAll(Set.of("steps.chunk.read.schema.type", "steps.chunk.read.schema.width"));
        assertThat(shown).isEqualTo(built);
    }

    @Test
    void keys_withAWrongValue_areRefusedByTheirName() {
        Map<String, List<String>> missed = new LinkedHashMap<>();
        Set<String> tried = new TreeSet<>();
        for (String example : PageExamples.all()) {
            YamlNode.Entries root = parsed(example);
            GrammarWalk.visit(root, (path, entry) -> {
                if (tried.add(path)) {
                    List<String> errors = errors(json(root, entry));
                    if (errors.stream().noneMatch(error -> error.contains("'" + entry.key() + "'"))) {
                        missed.put(path, errors);
                    }
                }
            });
        }

        assertThat(tried).hasSizeGreaterThan(90);
        assertThat(missed).isEmpty();
    }

    @Test
    void keys_thatComeLater_areNamedAndRefusedInTheseWords() {
        List<String> later = GrammarWalk.keys().entrySet().stream()
                .filter(key -> !key.getValue())
                .map(Map.Entry::getKey)
                .filter(path -> GrammarWalk.keys().getOrDefault(parent(path), true))
                .toList();

        assertThat(later).hasSize(9).allSatisfy(path -> {
            assertThat(PageExamples.page()).contains("`" + path.replace("steps.", "") + "`");
            String key = path.substring(path.lastIndexOf('.') + 1);
            String text = path.startsWith("steps.chunk.")
                    ? "{\"job\":\"j\",\"steps\":[{\"id\":\"s\",\"chunk\":{\""
                            + path.substring("steps.chunk.".length(), path.lastIndexOf('.')) + "\":{\"" + key
                            + "\":\"x\"}}}]}"
                    : "{\"job\":\"j\",\"" + key + "\":{},\"steps\":[{\"id\":\"s\",\"query\":{\"sql\":\"SELECT 1\"}}]}";
            assertThat(errors(text))
                    .anySatisfy(error -> assertThat(error).contains("'" + key + "' is not supported yet"));
        });
    }

    private static String parent(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    private List<String> errors(String text) {
        return read(text) instanceof JobFileReader.Read.Refused refused
                ? refused.errors().stream().map(Problem::line).toList()
                : List.of();
    }

    /** The document as JSON, which is YAML, with a wrong value in place of one entry's. */
    private static String json(YamlNode node, YamlNode.Entry wrong) {
        return switch (node) {
            case YamlNode.Scalar scalar -> scalar.isNull() ? "null" : JSON.writeValueAsString(scalar.text());
            case YamlNode.Items items ->
                items.nodes().stream().map(item -> json(item, wrong)).collect(Collectors.joining(",", "[", "]"));
            case YamlNode.Entries entries ->
                entries.entries().stream()
                        .map(entry -> JSON.writeValueAsString(entry.key()) + ": "
                                + (entry.equals(wrong) ? WRONG : json(entry.value(), wrong)))
                        .collect(Collectors.joining(",", "{", "}"));
        };
    }
}
