package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaStepTest {
    private static final String USER = "dev.weighlock.jobs.compile.UserCode$";

    @TempDir
    Path home;

    @BeforeEach
    void forget() {
        UserCode.SEEN.clear();
    }

    @Test
    void java_values_areGivenUnchangedAndItsContextIsReadLater() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run("""
                    job: j
                    parameters: {word: {type: string}, key: {type: secret, default: env:TOKEN}}
                    steps:
                      - {id: tell, java: {class: "%sTelling", with: {a: "{word}", b: "{key}", c: plain}}}
                      - {id: deaf, java: {class: "%sDeaf"}, listeners: ["%sWatching"]}
                      - {id: read, query: {sql: "SELECT :tell_context_greeting AS greeting"}}
                    flow: {tell: {TOLD: deaf}}
                    """.formatted(USER, USER, USER), Map.of("word", "it's; \"x\"\n{y}"));

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(UserCode.SEEN)
                    .containsExactly(
                            "a=it's; \"x\"\n{y}",
                            "b=" + JobBench.TOKEN,
                            "c=plain",
                            "before deaf",
                            "deaf",
                            "after COMPLETED");
            assertThat(bench.evidence(bench.step(execution, "read"))).contains("[[\"hello\"]]");
        }
    }

    @Test
    void java_inPartitionsOfAClass_runsEachWithItsOwn() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run("""
                    job: j
                    steps:
                      - id: tell
                        partition: {class: "%sHalves", workers: 1}
                        java: {class: "%sTelling", with: {k: "{partition}", c: "{partition.key}"}}
                    """.formatted(USER, USER), Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(UserCode.SEEN)
                    .containsExactly("planned", "first:c=first", "first:k=first", "second:c=second", "second:k=second");
        }
    }

    @Test
    void java_valuesForAClassThatTakesNone_failBySayingSo() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run(
                    "job: j\nsteps: [{id: s, java: {class: \"" + USER + "Deaf\", with: {a: b}}}]\n", Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().orElseThrow()).contains("takes no values");
            assertThat(UserCode.SEEN).isEmpty();
        }
    }
}
