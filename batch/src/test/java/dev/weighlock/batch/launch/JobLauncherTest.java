package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.JobParameters.Parameter;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.ParameterValue.SecretReference;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.ShutdownRequest;
import dev.weighlock.batch.shutdown.ShutdownSettings;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobLauncherTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final InMemoryJobRepository repository = new InMemoryJobRepository();
    private final DeadOwnerLooks looks = new DeadOwnerLooks();
    private final CountDownLatch testEnds = new CountDownLatch(1);
    private final AtomicBoolean broken = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();
    private final Job job = job("1");
    private final NodeRuntime node = NodeRuntime.on(looks.at(repository))
            .settings(DeadOwnerLooks.ONCE)
            .definitions(JobDefinitions.of(job))
            .secrets(reference -> "hunter2-canary")
            .start();

    @AfterEach
    void close() {
        testEnds.countDown();
        node.close();
    }

    private Job job(String revision) {
        return Job.named("job")
                .step(TaskletStep.of("a", context -> TaskletOutcome.COMPLETED))
                .step(TaskletStep.named("b", context -> {
                            calls.incrementAndGet();
                            if (broken.get()) {
                                throw new IllegalStateException("broken");
                            }
                            return TaskletOutcome.COMPLETED;
                        })
                        .revision(revision)
                        .build())
                .recovery(Job.Recovery.RESTART)
                .build();
    }

    private static JobExecution ended(LaunchResult result) throws InterruptedException {
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        var outcome = ((LaunchResult.Launched) result).run().await(LONG).orElseThrow();
        return ((RunOutcome.Ended) outcome).execution();
    }

    @Test
    void launch_onCallerThread_hasEndedWhenItReturns() {
        var result = node.launcher().launch(job, JobParameters.NONE, LaunchOptions.DEFAULT.withCallerThread());

        assertThat(((LaunchResult.Launched) result).run().execution().status()).isEqualTo(BatchStatus.COMPLETED);
    }

    @Test
    void launch_whileRunning_namesTheWinner() throws Exception {
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var waiting = Job.named("waiting")
                .step(TaskletStep.of("w", context -> {
                    inside.countDown();
                    go.await();
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
        var first = node.launcher().launch(waiting, JobParameters.NONE);
        inside.await();

        var second = node.launcher().launch(waiting, JobParameters.NONE);

        var winner = ((LaunchResult.AlreadyRunning) second).winner();
        assertThat(winner.id()).isEqualTo(((LaunchResult.Launched) first).run().executionId());
        go.countDown();
        ended(first);
    }

    @Test
    void launch_otherIdentifyingParameters_isAnotherInstance() throws Exception {
        var one = ended(node.launcher().launch(job, JobParameters.NONE.with("n", new LongValue(1))));
        var two = ended(node.launcher().launch(job, JobParameters.NONE.with("n", new LongValue(2))));

        assertThat(one.instance().id()).isNotEqualTo(two.instance().id());
    }

    @Test
    void launch_changedDefinition_isRefusedUnlessAcceptedOrAnUpgrade() throws Exception {
        broken.set(true);
        var first = ended(node.launcher().launch(job, JobParameters.NONE));
        broken.set(false);

        var refused = node.launcher().launch(job("2"), JobParameters.NONE);
        assertThat(((LaunchResult.DefinitionChanged) refused).changed()).containsExactly("b");
        var notThat = node.launcher()
                .launch(job("2"), JobParameters.NONE, LaunchOptions.DEFAULT.withAcceptedChanges(names("a")));
        assertThat(notThat).isInstanceOf(LaunchResult.DefinitionChanged.class);
        var accepted = node.launcher()
                .launch(
                        job("2"),
                        JobParameters.NONE,
                        LaunchOptions.DEFAULT.withActor("eve").withAcceptedChanges(names("b")));

        assertThat(repository.audit())
                .containsExactly(
                        new AuditEntry("accept-change", "eve", "the step \"b\""),
                        new AuditEntry("restart", "eve", "of execution " + first.id()));
        assertThat(ended(accepted).status()).isEqualTo(BatchStatus.COMPLETED);
    }

    private static Set<StepName> names(String name) {
        return Set.of(new StepName(name));
    }

    @Test
    void launch_changeOfACompleteStep_isNeverAccepted() throws Exception {
        broken.set(true);
        ended(node.launcher().launch(job, JobParameters.NONE));
        var changed = Job.named("job")
                .step(TaskletStep.named("a", context -> TaskletOutcome.COMPLETED)
                        .revision("2")
                        .build())
                .step(job.flow().steps().getLast())
                .build();

        var result = node.launcher()
                .launch(changed, JobParameters.NONE, LaunchOptions.DEFAULT.withAcceptedChanges(names("a")));

        assertThat(((LaunchResult.DefinitionChanged) result).changed()).containsExactly("a");
    }

    @Test
    void launch_declaredUpgrade_goesOn() throws Exception {
        broken.set(true);
        ended(node.launcher().launch(job, JobParameters.NONE));
        broken.set(false);
        var upgraded = Job.named("job")
                .revision("2")
                .upgradesFrom(job.fingerprint())
                .step(job.flow().steps().getFirst())
                .step(job.flow().steps().getLast())
                .build();

        assertThat(ended(node.launcher().launch(upgraded, JobParameters.NONE)).status())
                .isEqualTo(BatchStatus.COMPLETED);
        assertThat(repository.audit()).first().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("upgrade");
            assertThat(entry.detail()).contains(job.fingerprint(), upgraded.fingerprint());
        });
    }

    @Test
    void restart_runsTheStoredDefinition() throws Exception {
        broken.set(true);
        var failed = ended(node.launcher().launch(job, JobParameters.NONE));
        broken.set(false);

        var second = ended(node.launcher().restart(failed.id(), LaunchOptions.DEFAULT));

        assertThat(second.status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(node.launcher().restart(failed.id(), LaunchOptions.DEFAULT))
                .isEqualTo(new LaunchResult.Superseded(second));
        assertThat(node.launcher().restart(4711, LaunchOptions.DEFAULT)).isEqualTo(new LaunchResult.NotFound(4711));
    }

    /** An execution of another node that is dead while its work goes on. */
    private JobExecution orphan(String nodeId) throws InterruptedException {
        try (var other = NodeRuntime.on(repository)
                .node(new NodeInfo(nodeId, "host", 2))
                .shutdown(ShutdownSettings.DEFAULT.withDeadline(Duration.ofSeconds(1)))
                .start()) {
            var inside = new CountDownLatch(1);
            var stuck = Job.named("job")
                    .step(TaskletStep.of("a", context -> TaskletOutcome.COMPLETED))
                    .step(TaskletStep.of("b", context -> {
                        inside.countDown();
                        testEnds.await();
                        return TaskletOutcome.COMPLETED;
                    }))
                    .recovery(Job.Recovery.RESTART)
                    .build();
            var run = ((LaunchResult.Launched) other.launcher().launch(stuck, JobParameters.NONE)).run();
            inside.await();
            looks.awaitOf(1);
            repository.declareDead(nodeId);
            return run.execution();
        }
    }

    @Test
    void recoverDead_takenOverWhileTheOwnerSleeps_fencesTheOldOwner() throws Exception {
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var sleeping = Job.named("sleeping")
                .step(TaskletStep.of("s", context -> {
                    inside.countDown();
                    go.await();
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
        var other = NodeRuntime.on(repository)
                .node(new NodeInfo("sleeper", "host", 2))
                .start();
        var run = ((LaunchResult.Launched) other.launcher().launch(sleeping, JobParameters.NONE)).run();
        inside.await();
        repository.declareDead("sleeper");

        repository.failDead(run.execution(), new AuditEntry("recover", "test", "it sleeps"));
        go.countDown();
        var outcome = run.await(LONG).orElseThrow();

        assertThat(outcome).isInstanceOf(RunOutcome.GivenUp.class);
        assertThat(((RunOutcome.GivenUp) outcome).reason()).contains("taken over");
        var stored = repository.execution(run.executionId()).orElseThrow();
        assertThat(stored.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(stored.failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
        assertThat(repository.steps(stored.id())).allMatch(step -> step.status() == BatchStatus.FAILED);
        other.close();
    }

    @Test
    void launch_ofADeadOwnersInstance_takesOverAndRuns() throws Exception {
        var dead = orphan("dead-1");

        var second = ended(node.launcher().launch(job, JobParameters.NONE));

        assertThat(second.status()).isEqualTo(BatchStatus.COMPLETED);
        var lost = repository.execution(dead.id()).orElseThrow();
        assertThat(lost.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(lost.failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
    }

    @Test
    void secret_usedByTheJob_isStoredAndShownNowhere() throws Exception {
        var leaking = Job.named("leaking")
                .step(TaskletStep.of("l", context -> {
                    assertThat(context.secret("token")).isEqualTo("hunter2-canary");
                    throw new IllegalStateException("login with " + context.secret("token") + " failed");
                }))
                .build();
        var parameters = JobParameters.NONE.with("token", new Parameter(new SecretReference("env:TOKEN"), false));

        var failed = ended(node.launcher().launch(leaking, parameters));

        assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
        var everything = failed.toString() + repository.steps(failed.id());
        assertThat(everything).contains("login with *** failed").doesNotContain("hunter2-canary");
    }

    @Test
    void secret_thatCannotBeResolved_storesNothing() {
        try (var plain = NodeRuntime.on(repository)
                .secrets(SecretResolver.of(Map.<String, String>of()::get, Path.of("")))
                .start()) {
            var parameters = JobParameters.NONE.with("token", new Parameter(new SecretReference("env:TOKEN"), false));

            assertThatThrownBy(() -> plain.launcher().launch(job, parameters))
                    .isInstanceOfSatisfying(
                            BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.INVALID_PARAMETER))
                    .hasMessageContaining("env:TOKEN");
            assertThat(repository
                            .executions(Optional.empty(), Optional.empty(), 10)
                            .items())
                    .isEmpty();
        }
    }

    @Test
    void shutdown_asksRunsToStopAndRefusesNewOnes() throws Exception {
        var inside = new CountDownLatch(1);
        var waiting = Job.named("waiting")
                .step(TaskletStep.of("w", context -> {
                    inside.countDown();
                    return context.stopToken().await(LONG) ? TaskletOutcome.STOPPED : TaskletOutcome.COMPLETED;
                }))
                .build();
        var run = ((LaunchResult.Launched) node.launcher().launch(waiting, JobParameters.NONE)).run();
        inside.await();

        assertThat(node.requestShutdown()).isEqualTo(ShutdownRequest.INITIATED);
        assertThat(node.launcher().launch(job, JobParameters.NONE)).isEqualTo(new LaunchResult.ShuttingDown());
        assertThat(node.drain().tasks()).isEqualTo(new DrainResult.Complete(0));
        assertThat(run.execution().status()).isEqualTo(BatchStatus.STOPPED);
    }
}
