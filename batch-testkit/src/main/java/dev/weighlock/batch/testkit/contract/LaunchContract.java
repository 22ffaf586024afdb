package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.LaunchDecision;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One execution at a time for an instance, and every loser learns why. */
abstract class LaunchContract extends RepositoryTest {
    private LaunchDecision launchAgain(JobExecution last) {
        return repository.createExecution(Samples.restart(last, node));
    }

    @Test
    void launch_firstOfItsInstance_isStartingAndOwned() {
        var execution = launch("job", "1");

        assertThat(execution.status()).isEqualTo(BatchStatus.STARTING);
        assertThat(execution.exitStatus()).isEqualTo(ExitStatus.UNKNOWN);
        assertThat(execution.attempt()).isEqualTo(1);
        assertThat(execution.ownerNode()).isEqualTo(node.id());
        assertThat(execution.endedAt()).isEmpty();
        assertThat(repository.execution(execution.id())).contains(execution);
        assertThat(repository.instance(new JobName("job"), execution.instance().identity()))
                .contains(execution.instance());
    }

    @Test
    void launch_withItsFirstStep_isStartedAndSoIsTheStep() {
        var decision = repository.createExecution(Samples.beginning("job", node, OptionalLong.empty()));

        var execution = created(decision);
        var step = ((LaunchDecision.Created) decision).begun().orElseThrow();
        assertThat(execution.status()).isEqualTo(BatchStatus.STARTED);
        assertThat(execution.startedAt()).isPresent();
        assertThat(step.status()).isEqualTo(BatchStatus.STARTED);
        assertThat(step.attempt()).isEqualTo(1);
        assertThat(step.partitioned()).isTrue();
        assertThat(step.epoch()).isEqualTo(execution.epoch());
        assertThat(repository.execution(execution.id())).contains(execution);
        assertThat(repository.steps(execution.id())).containsExactly(step);
        // Both are the guards of what follows.
        var ended = repository.update(step, Samples.stepTo(BatchStatus.STOPPED), EnlistedWrite.NONE);
        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(become(execution, BatchStatus.STOPPED).endedAt()).isPresent();
    }

    @Test
    void launch_againWithAFirstStep_isStarting() {
        var failed = become(launch("job", "1"), BatchStatus.FAILED);

        var decision = repository.createExecution(Samples.beginning("job", node, OptionalLong.of(failed.id())));

        assertThat(created(decision).status()).isEqualTo(BatchStatus.STARTING);
        assertThat(((LaunchDecision.Created) decision).begun()).isEmpty();
        assertThat(repository.steps(created(decision).id())).isEmpty();
    }

    @Test
    void launch_everyParameterType_isReadBackEqualAndInOrder() {
        var parameters = JobParameters.NONE
                .with("z-string", new ParameterValue.StringValue("päth\n'\"\\"))
                .with("long", new ParameterValue.LongValue(Long.MIN_VALUE))
                .with("decimal", new ParameterValue.DecimalValue(new BigDecimal("1.2300")))
                .with("boolean", new ParameterValue.BooleanValue(true))
                .with("date", new ParameterValue.DateValue(LocalDate.of(2026, 11, 30)))
                .with("date-time", new ParameterValue.DateTimeValue(LocalDateTime.of(2026, 1, 2, 3, 4, 5, 678_901_000)))
                .with("instant", new ParameterValue.InstantValue(Instant.parse("2026-01-02T03:04:05.678901Z")))
                .with("double", new ParameterValue.DoubleValue(0.1))
                .with("secret", new JobParameters.Parameter(new ParameterValue.SecretReference("env:PASSWORD"), false));

        var execution =
                created(repository.createExecution(Samples.request("job", parameters, node, OptionalLong.empty())));
        var read = repository.execution(execution.id()).orElseThrow();

        assertThat(read.parameters()).isEqualTo(parameters);
        assertThat(read.parameters().asMap().keySet())
                .containsExactlyElementsOf(parameters.asMap().keySet());
        assertThat(read.instance().identity()).isEqualTo(parameters.identity());
    }

    @Test
    void launch_storesTheDefinitionOncePerDigest() {
        var first = launch("job", "1");
        launch("job", "2");

        assertThat(repository.definition(first.definitionDigest())).contains(Samples.definition("job"));
        assertThat(repository.definition("0".repeat(64))).isEmpty();
    }

    @Test
    void launch_whileActive_namesTheWinner() {
        for (var status : List.of(BatchStatus.STARTING, BatchStatus.STARTED, BatchStatus.STOPPING)) {
            var active = reach(launch("job-" + status, "1"), status);

            assertThat(launchAgain(active)).isEqualTo(new LaunchDecision.AlreadyRunning(active));
        }
    }

    @Test
    void launch_afterCompletedOrAbandoned_isAlreadyComplete() {
        var completed = reach(launch("job", "1"), BatchStatus.COMPLETED);
        var abandoned = repository.abandon(reach(launch("job", "2"), BatchStatus.FAILED), Samples.AUDIT);

        assertThat(launchAgain(completed)).isEqualTo(new LaunchDecision.AlreadyComplete(completed));
        assertThat(launchAgain(abandoned)).isEqualTo(new LaunchDecision.AlreadyComplete(abandoned));
    }

    @Test
    void launch_afterUnknown_asksForRecovery() {
        var unknown = reach(launch("job", "1"), BatchStatus.UNKNOWN);

        assertThat(launchAgain(unknown)).isEqualTo(new LaunchDecision.OutcomeUnknown(unknown));
    }

    @Test
    void launch_afterFailedOrStopped_restartsWithContextAndHigherEpoch() {
        for (var status : List.of(BatchStatus.FAILED, BatchStatus.STOPPED)) {
            var started = become(launch("job-" + status, "1"), BatchStatus.STARTED);
            var last = repository.update(started, Samples.to(status, Samples.CONTEXT));

            var restarted = restart(last);

            assertThat(restarted.instance()).isEqualTo(last.instance());
            assertThat(restarted.attempt()).isEqualTo(2);
            assertThat(restarted.context()).isEqualTo(Samples.CONTEXT);
            assertThat(restarted.epoch()).isGreaterThan(last.epoch());
            assertThat(restarted.stop().request()).isEmpty();
            assertThat(repository.lastExecution(last.instance().id())).contains(restarted);
        }
    }

    @Test
    void launch_withoutKnowledgeOfTheLastExecution_isSuperseded() {
        var failed = reach(launch("job", "1"), BatchStatus.FAILED);

        var decision =
                repository.createExecution(Samples.request("job", failed.parameters(), node, OptionalLong.empty()));

        assertThat(decision).isEqualTo(new LaunchDecision.Superseded(failed));
    }

    @Test
    void launch_otherIdentifyingParameters_isAnotherInstance() {
        var one = launch("job", "1");
        var two = launch("job", "2");

        assertThat(two.instance().id()).isNotEqualTo(one.instance().id());
        assertThat(two.attempt()).isEqualTo(1);
        assertThat(two.context()).isEqualTo(ExecutionContext.EMPTY);
    }

    @Test
    void launch_raceOfManyThreads_hasOneWinner() throws Exception {
        int threads = 8;
        var barrier = new CyclicBarrier(threads);
        var decisions = together(threads, () -> {
            barrier.await(300, TimeUnit.SECONDS);
            return repository.createExecution(Samples.request("job", Samples.day("1"), node, OptionalLong.empty()));
        });

        var winners = decisions.stream()
                .filter(LaunchDecision.Created.class::isInstance)
                .toList();
        assertThat(winners).hasSize(1);
        var winner = created(winners.getFirst());
        assertThat(decisions)
                .filteredOn(decision -> !(decision instanceof LaunchDecision.Created))
                .hasSize(threads - 1)
                .allMatch(decision -> decision instanceof LaunchDecision.AlreadyRunning running
                        && running.winner().equals(winner));
    }

    static <T> List<T> together(int threads, Callable<T> task) throws InterruptedException, ExecutionException {
        return together(Collections.nCopies(threads, task));
    }

    static <T> List<T> together(List<Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try (var executor = Executors.newFixedThreadPool(tasks.size())) {
            var results = new ArrayList<T>();
            for (var future : executor.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }

    private JobExecution reach(JobExecution starting, BatchStatus status) {
        return switch (status) {
            case STARTING -> starting;
            case STARTED, STOPPING, STOPPED, FAILED, UNKNOWN -> become(starting, status);
            case COMPLETED -> become(become(starting, BatchStatus.STARTED), status);
            case ABANDONED -> throw new IllegalArgumentException("not by the owner");
        };
    }
}
