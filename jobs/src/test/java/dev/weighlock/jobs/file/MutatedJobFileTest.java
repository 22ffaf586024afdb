package dev.weighlock.jobs.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.jobs.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutatedJobFileTest {
    private static final long SEED = 20_261_130L;
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ": ",
            "- ",
            "\n",
            "\t",
            "\"",
            "'",
            "&a",
            "*a",
            "!x",
            "|",
            "%",
            "#",
            "\0",
            "null",
            "9999999999999999999",
            "\uD83D\uDE00",
            "?",
            ",",
            "  ");

    @TempDir
    Path folder;

    @Test
    void read_twoHundredMutations_giveAJobOrProblemsWithLinesAndNothingElse() throws IOException {
        Files.writeString(folder.resolve("report.sql"), "SELECT 1");
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            String text = mutate(JobText.WHOLE, random);
            JobFileReader.Read read =
                    JobFileReader.fromStored(new JobSource("job.yaml", folder, text, Map.of("report.sql", "SELECT 1")));
            if (read instanceof JobFileReader.Read.Refused refused) {
                int lines = (int) text.lines().count() + 1;
                assertThat(refused.errors())
                        .as("seed %d, mutation %d:%n%s", SEED, i, text)
                        .isNotEmpty();
                assertThat(refused.errors())
                        .as("seed %d, mutation %d:%n%s", SEED, i, text)
                        .allSatisfy(problem -> assertSound(problem, lines));
            }
        }
    }

    private static void assertSound(Problem problem, int lines) {
        assertThat(problem.at().line()).isBetween(1, lines);
        assertThat(problem.line())
                .doesNotContain("\n")
                .doesNotContain("Exception")
                .matches("[^:]+:\\d+: .+; .+");
    }

    private static String mutate(String text, Random random) {
        StringBuilder mutated = new StringBuilder(text);
        for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
            int at = random.nextInt(mutated.length());
            int end = Math.min(mutated.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(4)) {
                case 0 -> mutated.delete(at, end);
                case 1 -> mutated.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 2 -> mutated.insert(at, mutated.substring(at, end));
                default -> mutated.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return mutated.toString();
    }
}
