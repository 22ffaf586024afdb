package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.List;
import java.util.OptionalLong;
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
