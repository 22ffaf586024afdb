package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.NodeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An opened store with one registered node, and the short words of the contract's tests. */
abstract class RepositoryTest {
    static final StepName LOAD = new StepName("load");

    private final List<JobRepository> opened = new ArrayList<>();
    RepositoryStore store;
    JobRepository repository;
    NodeInfo node = Samples.node();

    abstract RepositoryStore newStore();

    @BeforeEach
    void openStore() {
        store = newStore();
        repository = open();
        repository.register(node);
    }

    @AfterEach
    void closeStore() {
        opened.forEach(JobRepository::close);
        store.close();
    }

    /** Another process, where the store is shared. */
    JobRepository open() {
        var another = store.open();
        opened.add(another);
        return another;
    }

    JobExecution launch(String job, String day) {
        return created(repository.createExecution(Samples.request(job, Samples.day(day), node, OptionalLong.empty())));
    }

    JobExecution restart(JobExecution last) {
        return created(repository.createExecution(Samples.restart(last, node)));
    }

    static JobExecution created(LaunchDecision decision) {
        assertThat(decision).isInstanceOf(LaunchDecision.Created.class);
        return ((LaunchDecision.Created) decision).execution();
    }

    /** A started execution of a job of its own. */
    JobExecution started() {
        return become(launch("job", "1"), BatchStatus.STARTED);
    }

    JobExecution become(JobExecution current, BatchStatus status) {
        return repository.update(current, Samples.to(status));
    }

    StepExecution step(JobExecution execution) {
        return repository.createStep(execution, LOAD, Integer.MAX_VALUE, false);
    }

    StepExecution partitionedStep(JobExecution execution) {
        return repository.createStep(execution, LOAD, Integer.MAX_VALUE, true);
    }

    static void assertRefused(BatchError error, ThrowingCallable call) {
        var refusal = catchThrowableOfType(BatchException.class, call);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.error()).isEqualTo(error);
    }
}
