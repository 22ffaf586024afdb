package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The regular rounds: who can restart a dead owner's job goes first. */
class DeadOwnersTest {
    private static final NodeInfo LOOKING = new NodeInfo("looking", "host", 1);

    private final InMemoryJobRepository repository = new InMemoryJobRepository();
    private final NodeRuntime node = NodeRuntime.on(repository).start();
    private final Job job = Job.named("job")
            .step(TaskletStep.of("work", context -> TaskletOutcome.COMPLETED))
            .build();

    @AfterEach
    void close() {
        node.close();
    }

    private DeadOwners knowing(Job... jobs) {
        return new DeadOwners(repository, dead -> true, node.launcher(), JobDefinitions.of(jobs), LOOKING);
    }

    private JobExecution orphan(String id) {
        return orphan(id, job);
    }

    private JobExecution orphan(String id, Job job) {
        var owner = new NodeInfo("owner-" + id, "host", 2);
        repository.register(owner);
        var request = new LaunchRequest(
                job.name(),
                JobParameters.NONE,
                job.definition(),
                job.fingerprint(),
                OptionalLong.empty(),
                owner.id(),
                List.of());
        var created = ((LaunchDecision.Created) repository.createExecution(request)).execution();
        repository.declareDead(owner.id());
        return created;
    }

    private BatchStatus status(JobExecution execution) {
        return repository.execution(execution.id()).orElseThrow().status();
    }

    @Test
    void jobThatTheNodeCanRun_isRecoveredInTheFirstRound() {
        var orphan = orphan("1");

        knowing(job).recoverRegularly();

        assertThat(status(orphan)).isEqualTo(BatchStatus.FAILED);
    }

    @Test
    void jobThatTheNodeCannotRun_isLeftForTwoRounds() {
        var orphan = orphan("1");
        var rounds = knowing();

        rounds.recoverRegularly();
        rounds.recoverRegularly();
        assertThat(status(orphan)).isEqualTo(BatchStatus.STARTING);

        rounds.recoverRegularly();
        assertThat(status(orphan)).isEqualTo(BatchStatus.FAILED);
    }

    /** The repository was away just when the job should have begun again. */
    @Test
    void restartThatGotNoAnswer_isTriedAgainInTheNextRound() throws Exception {
        var wanted = Job.named("wanted")
                .step(TaskletStep.of("work", context -> TaskletOutcome.COMPLETED))
                .recovery(Job.Recovery.RESTART)
                .build();
        var away = new AtomicBoolean(true);
        var flaky = (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    if (away.get() && method.getName().equals("createExecution")) {
                        throw new BatchException(BatchError.REPOSITORY_UNAVAILABLE, "away");
                    }
                    try {
                        return method.invoke(repository, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
        try (var other = NodeRuntime.on(flaky)
                .node(new NodeInfo("other", "host", 3))
                .definitions(JobDefinitions.of(wanted))
                .recovers(dead -> false)
                .start()) {
            var orphan = orphan("1", wanted);
            var rounds = new DeadOwners(flaky, dead -> true, other.launcher(), JobDefinitions.of(wanted), LOOKING);

            rounds.recover();
            assertThat(status(orphan)).isEqualTo(BatchStatus.FAILED);
            assertThat(last(orphan).attempt()).isEqualTo(1);

            away.set(false);
            rounds.recover();
            assertThat(last(orphan).attempt()).isEqualTo(2);
        }
    }

    private JobExecution last(JobExecution execution) {
        return repository.lastExecution(execution.instance().id()).orElseThrow();
    }

    @Test
    void recoveryOnRequest_leavesNothing() {
        var orphan = orphan("1");

        assertThat(knowing().recover()).hasSize(1);

        assertThat(status(orphan)).isEqualTo(BatchStatus.FAILED);
    }

    @Test
    void nodeThatIsToldWhichAreItsOwn_leavesTheOthers() {
        var orphan = orphan("1");

        try (var particular = NodeRuntime.on(repository)
                .node(LOOKING)
                .recovers(dead -> dead.id() != orphan.id())
                .start()) {
            assertThat(particular.recoverDead()).isEmpty();
        }

        assertThat(status(orphan)).isEqualTo(BatchStatus.STARTING);
    }
}
