package dev.weighlock.batch.flow;

import static dev.weighlock.batch.flow.Transition.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobDefinitionTest {
    private static TaskletStep step(String name) {
        return TaskletStep.of(name, context -> TaskletOutcome.COMPLETED);
    }

    private static List<String> problems(JobBuilder builder) {
        var refused = catchThrowableOfType(DefinitionException.class, builder::build);
        assertThat(refused).isNotNull();
        return refused.problems().stream().map(DefinitionProblem::toString).toList();
    }

    @Test
    void build_manyMistakes_areAllInOneMessage() {
        var builder = Job.named("broken")
                .step(step("a"))
                .step(step("a"))
                .step(step("COMPLETE"))
                .step(TaskletStep.named("limited", context -> TaskletOutcome.COMPLETED)
                        .startLimit(0)
                        .partitioned(Partitioning.keys(List.of("k")).withWorkers(2000))
                        .build())
                .split("s", List.of(List.of(step("b"))), "nowhere", 0, OnFailure.CANCEL)
                .flow("a", on("A*", "limited"), on("*A", "missing"))
                .flow("ghost", on("*", "COMPLETE"));

        var problems = problems(builder);

        assertThat(String.join("\n", problems))
                .contains("a: is defined twice")
                .contains("COMPLETE: is the name of an ending")
                .contains("start limit")
                .contains("1 to 1024 workers, not 2000")
                .contains("at least two branches")
                .contains("not 0")
                .contains("nowhere")
                .contains("missing")
                .contains("equally specific")
                .contains("ghost: has transitions but is not defined")
                .contains("no way leads here");
    }

    @Test
    void build_empty_isRefused() {
        assertThat(problems(Job.named("empty"))).containsExactly("a job needs at least one step");
    }

    @Test
    void build_cycle_namesItsNodesOnly() {
        var builder = Job.named("round")
                .step(step("in"))
                .step(step("a"))
                .step(step("b"))
                .step(step("out"))
                .flow("b", on("AGAIN", "a"), on("*", "out"));

        assertThat(problems(builder))
                .containsExactly("a: a way from here leads back here", "b: a way from here leads back here");
    }

    @Test
    void build_stepInBranchAndLine_isRefused() {
        var builder = Job.named("twice")
                .step(step("x"))
                .split("s", List.of(List.of(step("x")), List.of(step("y"))), "end", 2, OnFailure.DRAIN)
                .step(step("end"));

        assertThat(problems(builder)).anyMatch(problem -> problem.contains("\"x\" stands in a branch"));
    }

    @Test
    void build_tooManyNodes_isRefused() {
        var builder = Job.named("huge");
        for (int i = 0; i < 1025; i++) {
            builder.step(step("s" + i));
        }

        assertThat(problems(builder)).containsExactly("a job has at most 1024 nodes, not 1025");
    }

    private static ChunkStep.Builder<Long, Long> chunk() {
        return ChunkStep.<Long>copying("c", step -> () -> null, step -> (items, chunk) -> {});
    }

    private static String fingerprint(Step step) {
        return Job.named("job").step(step).build().fingerprint();
    }

    @Test
    void fingerprint_budgetsAndListeners_areNoPartOfIt() {
        var base =
                fingerprint(chunk().partitioned(Partitioning.keys(List.of("k"))).build());

        assertThat(fingerprint(
                        chunk().partitioned(Partitioning.keys(List.of("k")).withWorkers(7))
                                .readAhead(true)
                                .startLimit(9)
                                .build()))
                .isEqualTo(base);
    }

    @Test
    void fingerprint_whatARestartDependsOn_changesIt() {
        var base = fingerprint(chunk().build());

        assertThat(List.of(
                        fingerprint(chunk().size(7).build()),
                        fingerprint(chunk().revision("2").build()),
                        fingerprint(chunk().delivery(Delivery.sameResource()).build()),
                        fingerprint(chunk().skip(SkipPolicy.of(1)).build()),
                        fingerprint(chunk().retry(RetryPolicy.of(1, dev.weighlock.batch.chunk.Backoff.NONE))
                                .build()),
                        fingerprint(chunk().partitioned(Partitioning.keys(List.of("k")))
                                .build()),
                        Job.named("job")
                                .revision("2")
                                .step(chunk().build())
                                .build()
                                .fingerprint(),
                        base))
                .doesNotHaveDuplicates();
    }

    @Test
    void fingerprint_orderOfTransitions_doesNotMatter() {
        var one = Job.named("job")
                .step(step("a"))
                .step(step("b"))
                .flow("a", on("X", "b"), on("*", "COMPLETE"))
                .build();
        var other = Job.named("job")
                .step(step("a"))
                .step(step("b"))
                .flow("a", on("*", "COMPLETE"), on("X", "b"))
                .build();

        assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
    }

    @Test
    void manifest_parsedBack_findsTheChangedNodeByName() {
        var odd = "na\"me\\ 1";
        var before = Job.named("job").step(step(odd)).step(step("b")).build();
        var after = Job.named("job")
                .step(TaskletStep.named(odd, context -> TaskletOutcome.COMPLETED)
                        .revision("2\n3")
                        .build())
                .step(step("b"))
                .build();

        var stored = Manifest.parse(before.definition().content());

        assertThat(stored.fingerprint()).isEqualTo(before.fingerprint());
        assertThat(after.manifest().differences(stored)).containsExactly(odd);
        assertThat(Manifest.parse(after.manifest().text())).isEqualTo(after.manifest());
    }

    private static String targets(Job job, String node) {
        return job.flow().transitions(node).toString();
    }

    @Test
    void nestedFlow_isInlinedAndItsEndingsLeadOut() {
        var inner = Job.named("inner")
                .step(step("i1"))
                .step(step("i2"))
                .flow("i1", on("SKIP", "COMPLETE"), on("FAILED", "FAIL"), on("HALT", "STOP"), on("*", "i2"))
                .build();
        var outer = Job.named("outer")
                .step(step("before"))
                .nested("in", inner)
                .step(step("after"))
                .step(step("cleanup"))
                .flow("before", on("*", "in"))
                .flow("in", on("FAILED", "cleanup"), on("*", "after"))
                .flow("after", on("*", "COMPLETE"))
                .build();

        assertThat(targets(outer, "before")).isEqualTo("[* -> i1]");
        assertThat(targets(outer, "i1")).isEqualTo("[FAILED -> cleanup, HALT -> STOP, SKIP -> after, * -> i2]");
        assertThat(targets(outer, "i2")).isEqualTo("[FAILED -> cleanup, * -> after]");
    }

    @Test
    void nestedFlow_withoutTransitions_goesToTheNextNode() {
        var inner = Job.named("inner").step(step("i1")).build();
        var outer = Job.named("outer")
                .step(step("a"))
                .nested("in", inner)
                .step(step("b"))
                .build();

        assertThat(targets(outer, "a")).isEqualTo("[FAILED -> FAIL, * -> i1]");
        assertThat(targets(outer, "i1")).isEqualTo("[FAILED -> FAIL, * -> b]");
    }

    @Test
    void nestedFlow_withANodeDefinedOutside_isRefused() {
        var inner = Job.named("inner").step(step("a")).build();

        assertThat(problems(Job.named("outer").step(step("a")).nested("in", inner)))
                .contains("a: is defined twice");
    }

    @Test
    void atLeastOnceSteps_areNamed() {
        var job = Job.named("job").step(chunk().build()).step(step("t")).build();

        assertThat(job.atLeastOnceSteps())
                .extracting(Step::name)
                .extracting(Object::toString)
                .containsExactly("c");
    }
}
