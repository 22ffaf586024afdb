package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.operate.Purge;
import dev.weighlock.batch.operate.PurgeEffects;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.PurgeRule;
import dev.weighlock.batch.repository.PurgedInstance;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators do, and that a repeated command changes nothing twice. */
class OperatorTest {
    private static final Instruction EVE = new Instruction("eve", "because");
    private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");

    private final InMemoryJobRepository repository = new InMemoryJobRepository();
    private final JobOperator operator = new JobOperator(repository);
    private @Nullable NodeRuntime node;

    private final Job failing = Job.named("failing")
            .step(TaskletStep.named("a", step -> {
                        throw new IllegalStateException("broken");
                    })
                    .build())
            .build();
    private final Job fine = Job.named("fine")
            .step(TaskletStep.of("a", step -> TaskletOutcome.COMPLETED))
            .build();

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
    }

    /** Started when a test runs something: a node ends by itself what dead ones left. */
    private NodeRuntime node() {
        if (node == null) {
            node = NodeRuntime.on(repository).start();
        }
        return node;
    }

    private JobExecution run(Job job, long n) throws InterruptedException {
        var result = node().launcher().launch(job, JobParameters.NONE.with("n", new LongValue(n)));
        var outcome = ((LaunchResult.Launched) result).run().await(Duration.ofMinutes(5));
        return ((RunOutcome.Ended) outcome.orElseThrow()).execution();
    }

    /** What a process leaves that dies within a step. */
    private JobExecution orphan() {
        var elsewhere = new NodeInfo("elsewhere", "host", 1);
        repository.register(elsewhere);
        var request = new LaunchRequest(
                fine.name(),
                JobParameters.NONE,
                fine.definition(),
                fine.fingerprint(),
                OptionalLong.empty(),
                elsewhere.id(),
                List.of());
        var created = ((LaunchDecision.Created) repository.createExecution(request)).execution();
        repository.createStep(created, new StepName("a"), 1, false);
        repository.declareDead(elsewhere.id());
        return created;
    }

    private static Instruction keyed(String key) {
        return new Instruction("eve", "because", Optional.of(key));
    }

    private static void assertRefused(BatchError error, Runnable act) {
        var refusal = catchThrowableOfType(BatchException.class, act::run);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.error()).isEqualTo(error);
    }

    @Test
    void abandon_again_changesNothing() throws Exception {
        var failed = run(failing, 1);

        assertThat(operator.abandon(failed.id(), EVE).changed()).isTrue();
        var again = operator.abandon(failed.id(), EVE);

        assertThat(again.changed()).isFalse();
        assertThat(again.value().status()).isEqualTo(BatchStatus.ABANDONED);
        assertThat(repository.auditTrail(failed.id(), 10)).hasSize(1);
    }

    @Test
    void abandon_ofASupersededAttempt_isRefusedByName() throws Exception {
        var first = run(failing, 1);
        run(failing, 1);

        assertRefused(BatchError.STALE_VERSION, () -> operator.abandon(first.id(), EVE));
    }

    @Test
    void key_ofAnotherAct_isRefused() throws Exception {
        var one = run(failing, 1);
        var two = run(failing, 2);
        operator.abandon(one.id(), keyed("k"));

        assertThat(operator.abandon(one.id(), keyed("k")).changed()).isFalse();
        assertRefused(BatchError.INVALID_PARAMETER, () -> operator.abandon(two.id(), keyed("k")));
        assertThat(repository.execution(two.id())).contains(two);
    }

    @Test
    void key_ofAnotherDecision_isRefused() {
        var dead = orphan();
        var digest = operator.proposeRecovery(dead.id()).digest();
        operator.recover(dead.id(), digest, BatchStatus.FAILED, keyed("k"));

        assertThat(operator.recover(dead.id(), digest, BatchStatus.FAILED, keyed("k"))
                        .changed())
                .isFalse();
        var refusal = catchThrowableOfType(
                BatchException.class, () -> operator.recover(dead.id(), digest, BatchStatus.ABANDONED, keyed("k")));
        assertThat(refusal).hasMessageContaining("recover of execution " + dead.id() + " (FAILED, proposal " + digest);
        assertThat(repository.execution(dead.id()).orElseThrow().status()).isEqualTo(BatchStatus.FAILED);
    }

    /** The process of the operator died between the two writes of one decision. */
    @Test
    void recover_asAbandoned_thatACrashLeftHalfDone_goesOnWhenRepeated() {
        var dead = orphan();
        var digest = operator.proposeRecovery(dead.id()).digest();
        var dying = (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("abandon")) {
                        throw new BatchException(BatchError.REPOSITORY_UNAVAILABLE, "gone");
                    }
                    return method.invoke(repository, arguments);
                });
        assertRefused(
                BatchError.REPOSITORY_UNAVAILABLE,
                () -> new JobOperator(dying).recover(dead.id(), digest, BatchStatus.ABANDONED, keyed("k")));
        assertThat(repository.execution(dead.id()).orElseThrow().status()).isEqualTo(BatchStatus.FAILED);

        var recovered = operator.recover(dead.id(), digest, BatchStatus.ABANDONED, keyed("k"));
        var again = operator.recover(dead.id(), digest, BatchStatus.ABANDONED, keyed("k"));

        assertThat(recovered.changed()).isTrue();
        assertThat(recovered.value().status()).isEqualTo(BatchStatus.ABANDONED);
        assertThat(again.changed()).isFalse();
    }

    @Test
    void recover_decidedBeforeWithoutAKey_changesNothingWithOne() {
        var dead = orphan();
        var digest = operator.proposeRecovery(dead.id()).digest();
        operator.recover(dead.id(), digest, BatchStatus.FAILED, EVE);

        assertThat(operator.recover(dead.id(), digest, BatchStatus.FAILED, keyed("k"))
                        .changed())
                .isFalse();
    }

    @Test
    void stop_reason_isKeptInTheAudit() {
        var stopped = orphan();

        operator.stop(stopped.id(), EVE);

        assertThat(repository.auditTrail(stopped.id(), 10))
                .singleElement()
                .satisfies(record -> assertThat(record.entry()).isEqualTo(new AuditEntry("stop", "eve", "because")));
    }

    @Test
    void held_isNotRestarted() throws Exception {
        var failed = run(failing, 1);

        assertThat(operator.hold(failed.id(), EVE).changed()).isTrue();
        assertThat(operator.hold(failed.id(), EVE).changed()).isFalse();

        var refused = node().launcher().launch(failing, failed.parameters());
        assertThat(refused).isInstanceOf(LaunchResult.Held.class);
        assertThat(((LaunchResult.Held) refused).hold().reason()).isEqualTo("because");
        assertThat(operator.release(failed.id(), EVE).changed()).isTrue();
        assertThat(operator.release(failed.id(), EVE).changed()).isFalse();
        assertThat(node().launcher().launch(failing, failed.parameters())).isInstanceOf(LaunchResult.Launched.class);
    }

    @Test
    void hold_again_withTheKeyOfAReleasedOne_changesNothing() throws Exception {
        var failed = run(failing, 1);
        operator.hold(failed.id(), keyed("k"));
        operator.release(failed.id(), EVE);

        assertThat(operator.hold(failed.id(), keyed("k")).changed()).isFalse();
        assertThat(repository.hold(failed.instance().id())).isEmpty();
    }

    @Test
    void recover_decidesOnce() {
        var dead = orphan();
        var proposal = operator.proposeRecovery(dead.id());
        assertThat(proposal.evidence()).contains("execution " + dead.id(), "step a STARTED");
        assertRefused(
                BatchError.STALE_VERSION, () -> operator.recover(dead.id(), "0".repeat(64), BatchStatus.FAILED, EVE));

        var recovered = operator.recover(dead.id(), proposal.digest(), BatchStatus.FAILED, EVE);
        var again = operator.recover(dead.id(), proposal.digest(), BatchStatus.FAILED, EVE);

        assertThat(recovered.changed()).isTrue();
        assertThat(recovered.value().status()).isEqualTo(BatchStatus.FAILED);
        assertThat(again.changed()).isFalse();
        assertThat(again.value()).isEqualTo(recovered.value());
        assertRefused(BatchError.ILLEGAL_TRANSITION, () -> operator.proposeRecovery(dead.id()));
    }

    @Test
    void recover_asAbandoned_closesTheInstance() {
        var dead = orphan();
        var digest = operator.proposeRecovery(dead.id()).digest();

        var recovered = operator.recover(dead.id(), digest, BatchStatus.ABANDONED, EVE);

        assertThat(recovered.value().status()).isEqualTo(BatchStatus.ABANDONED);
    }

    @Test
    void purge_removesWhatWasPlannedOnce() throws Exception {
        var one = run(fine, 1);
        var two = run(fine, 2);
        var purge = new Purge(repository);
        var plan = purge.plan(new PurgeRule(LATER, 1));
        List<PurgedInstance> effects = new ArrayList<>();
        PurgeEffects collect = effects::addAll;
        assertThat(plan.executions()).isEqualTo(1);

        var done = purge.apply(plan.digest(), EVE, collect);
        var again = purge.apply(plan.digest(), EVE, collect);

        assertThat(done.changed()).isTrue();
        assertThat(done.value().instances()).isEqualTo(1);
        assertThat(effects)
                .singleElement()
                .satisfies(gone -> assertThat(gone.executions()).containsExactly(one.id()));
        assertThat(again.changed()).isFalse();
        assertThat(again.value().detail()).isEqualTo("1 instances with 1 executions removed: because");
        assertThat(repository.execution(one.id())).isEmpty();
        assertThat(repository.execution(two.id())).isPresent();
    }

    /** Only what ended has a key: whoever comes with it after a crash is not told that all was done. */
    @Test
    void purge_thatACrashBrokeOff_isNotDoneByItsKey() throws Exception {
        run(fine, 1);
        var purge = new Purge(repository);
        var digest = purge.plan(new PurgeRule(LATER, 0)).digest();
        assertThatThrownBy(() -> purge.apply(digest, keyed("k"), gone -> {
                    throw new IllegalStateException("the process ends here");
                }))
                .hasMessage("the process ends here");

        assertThat(purge.apply(digest, keyed("k"), PurgeEffects.NONE).changed()).isTrue();

        assertThat(repository.executions(Optional.empty(), Optional.empty(), 10).items())
                .isEmpty();
    }

    @Test
    void purge_withTheKeyOfAnotherAct_isRefused() throws Exception {
        var one = run(fine, 1);
        operator.hold(one.id(), keyed("k"));
        operator.release(one.id(), EVE);
        var purge = new Purge(repository);
        var digest = purge.plan(new PurgeRule(LATER, 0)).digest();

        assertRefused(BatchError.INVALID_PARAMETER, () -> purge.apply(digest, keyed("k"), PurgeEffects.NONE));
        purge.apply(digest, keyed("other"), PurgeEffects.NONE);

        assertThat(purge.apply(digest, keyed("other"), PurgeEffects.NONE).changed())
                .isFalse();
        run(fine, 2);
        var later = purge.plan(new PurgeRule(LATER, 0)).digest();
        assertRefused(BatchError.INVALID_PARAMETER, () -> purge.apply(later, keyed("other"), PurgeEffects.NONE));
    }

    @Test
    void purge_ofAPlanThatIsNoLongerTrue_isRefused() throws Exception {
        run(fine, 1);
        var purge = new Purge(repository);
        var plan = purge.plan(new PurgeRule(LATER, 0));
        run(fine, 2);

        assertRefused(BatchError.STALE_VERSION, () -> purge.apply(plan.digest(), EVE, PurgeEffects.NONE));
        assertRefused(BatchError.INVALID_PARAMETER, () -> purge.apply("nonsense", EVE, PurgeEffects.NONE));
    }
}
