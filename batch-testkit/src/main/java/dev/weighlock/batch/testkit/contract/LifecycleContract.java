package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobChange;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The status machine of job executions, its guards, and the decisions of the flow. */
abstract class LifecycleContract extends RepositoryTest {
    private static final Set<BatchStatus> OWNED =
            EnumSet.of(BatchStatus.STARTING, BatchStatus.STARTED, BatchStatus.STOPPING);

    private JobExecution inStatus(BatchStatus status, String day) {
        var starting = launch("job", day);
        return switch (status) {
            case STARTING -> starting;
            case STARTED, STOPPING, STOPPED, FAILED, UNKNOWN -> become(starting, status);
            case COMPLETED -> become(become(starting, BatchStatus.STARTED), status);
            case ABANDONED -> repository.abandon(become(starting, BatchStatus.FAILED), Samples.AUDIT);
        };
    }

    @ParameterizedTest
    @EnumSource(BatchStatus.class)
    void update_everyPair_followsTheMachine(BatchStatus from) {
        for (var to : BatchStatus.values()) {
            var current = inStatus(from, to.name());
            if (OWNED.contains(from) && from.canBecome(to)) {
                var next = become(current, to);
                assertThat(next.status()).isEqualTo(to);
                assertThat(next.version()).isEqualTo(current.version() + 1);
                assertThat(next.epoch()).isEqualTo(current.epoch());
                assertThat(next.endedAt().isPresent()).isNotEqualTo(to.isActive());
                assertThat(repository.execution(current.id())).contains(next);
            } else {
                assertRefused(BatchError.ILLEGAL_TRANSITION, () -> become(current, to));
                assertThat(repository.execution(current.id())).contains(current);
            }
        }
    }

    @Test
    void update_staleVersion_changesNothing() {
        var stale = launch("job", "1");
        var current = become(stale, BatchStatus.STARTED);

        assertRefused(BatchError.STALE_VERSION, () -> become(stale, BatchStatus.FAILED));

        assertThat(repository.execution(stale.id())).contains(current);
    }

    @Test
    void update_carriesEverything() {
        var change = new JobChange(
                BatchStatus.FAILED,
                new ExitStatus("BAD DAY"),
                Samples.CONTEXT,
                Optional.of(new FailureSummary(FailureCategory.DATA_ERROR, "f-7")),
                Optional.of("line 3 is odd"));

        var failed = repository.update(started(), change);

        assertThat(failed.exitStatus()).isEqualTo(change.exitStatus());
        assertThat(failed.context()).isEqualTo(change.context());
        assertThat(failed.failure()).isEqualTo(change.failure());
        assertThat(failed.diagnostics()).isEqualTo(change.diagnostics());
        assertThat(failed.startedAt()).isPresent();
    }

    @Test
    void update_failedWithoutFailure_isRefused() {
        var current = started();
        var change = new JobChange(
                BatchStatus.FAILED, ExitStatus.FAILED, ExecutionContext.EMPTY, Optional.empty(), Optional.empty());

        assertRefused(BatchError.ILLEGAL_TRANSITION, () -> repository.update(current, change));
    }

    @Test
    void update_stopping_stampsTheInstantSeen() {
        var stopping = become(started(), BatchStatus.STOPPING);

        assertThat(stopping.stop().seenAt()).isPresent();
        assertThat(become(stopping, BatchStatus.STOPPED).stop().seenAt())
                .isEqualTo(stopping.stop().seenAt());
    }

    @Test
    void context_everyType_keepsItsTypeAcrossARestart() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("null", null);
        values.put("int", 1);
        values.put("long", Long.MAX_VALUE);
        values.put("double", 0.1);
        values.put("text", "NUL \0, quote ', backslash \\, emoji 🚤");
        values.put("nested", Map.of("list", List.of(1, 2L, "3")));
        var context = ExecutionContext.of(values);

        var failed = repository.update(started(), Samples.to(BatchStatus.FAILED, context));

        assertThat(restart(failed).context()).isEqualTo(context);
    }

    @Test
    void context_overItsBound_isRefused() {
        var current = started();
        var large = ExecutionContext.of(Map.of("large", "x".repeat(64 * 1024)));

        assertRefused(BatchError.TOO_LARGE, () -> repository.update(current, Samples.to(BatchStatus.STOPPING, large)));
    }

    @Test
    void diagnostics_withNulAndAMegabyte_isKeptShortAndReadable() {
        var text = "first\0second \uD83D broken \uDEA4 " + "🚤".repeat(256 * 1024);
        var change = new JobChange(
                BatchStatus.FAILED,
                ExitStatus.FAILED,
                ExecutionContext.EMPTY,
                Optional.of(Samples.FAILURE),
                Optional.of(text));

        var kept = repository.update(started(), change).diagnostics().orElseThrow();

        assertThat(kept)
                .startsWith("first")
                .contains("second")
                .contains("broken")
                .doesNotContain("\0");
        assertThat(kept.length()).isLessThanOrEqualTo(64 * 1024);
        assertThat(kept.codePoints().filter(c -> Character.getType(c) == Character.SURROGATE))
                .isEmpty();
    }

    @Test
    void abandon_stoppedFailedUnknown_isAllowedAndOthersAreNot() {
        for (var status : BatchStatus.values()) {
            var current = inStatus(status, "abandon-" + status);
            if (status.canBecome(BatchStatus.ABANDONED)) {
                var abandoned = repository.abandon(current, Samples.AUDIT);
                assertThat(abandoned.status()).isEqualTo(BatchStatus.ABANDONED);
                assertThat(abandoned.endedAt()).isEqualTo(current.endedAt());
                assertRefused(BatchError.STALE_VERSION, () -> repository.abandon(current, Samples.AUDIT));
            } else {
                assertRefused(BatchError.ILLEGAL_TRANSITION, () -> repository.abandon(current, Samples.AUDIT));
            }
        }
    }

    @Test
    void failUnknown_onlyOfUnknown_alsoItsSteps() {
        var execution = started();
        repository.update(step(execution), Samples.stepTo(BatchStatus.UNKNOWN), EnlistedWrite.NONE);
        var unknown = become(execution, BatchStatus.UNKNOWN);

        var failed = repository.failUnknown(unknown, Samples.AUDIT);

        assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.OUTCOME_UNKNOWN);
        assertThat(repository.steps(execution.id()).getFirst().status()).isEqualTo(BatchStatus.FAILED);
        assertRefused(BatchError.ILLEGAL_TRANSITION, () -> repository.failUnknown(failed, Samples.AUDIT));
    }

    @Test
    void decisions_latestOfEachNode_inTheOrderTaken() {
        var first = started();
        repository.recordDecision(first, new FlowDecision("a", "COMPLETED", "b"));
        repository.recordDecision(first, new FlowDecision("b", "FAILED", "FAIL"));
        var second = become(restart(become(first, BatchStatus.FAILED)), BatchStatus.STARTED);
        repository.recordDecision(second, new FlowDecision("b", "COMPLETED", "c"));

        assertThat(repository.decisions(first.instance().id()))
                .containsExactly(new FlowDecision("a", "COMPLETED", "b"), new FlowDecision("b", "COMPLETED", "c"));
    }

    @Test
    void decision_secondOfANodeOrOfAFinishedExecution_isRefused() {
        var execution = started();
        var decision = new FlowDecision("a", "COMPLETED", "b");
        repository.recordDecision(execution, decision);

        assertRefused(BatchError.STALE_VERSION, () -> repository.recordDecision(execution, decision));
        become(execution, BatchStatus.STOPPED);
        assertRefused(
                BatchError.STALE_VERSION,
                () -> repository.recordDecision(execution, new FlowDecision("c", "COMPLETED", "d")));
    }
}
