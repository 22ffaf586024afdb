package dev.weighlock.app.wiring;

import dev.weighlock.app.log.ExecutionLogs;
import dev.weighlock.app.terminal.ProgressRow.Memory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.ProgressListener;
import dev.weighlock.jobs.file.JobFile;
import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Everything that one process needs to execute jobs, opened together and closed in the reverse order. */
public final class JobSession implements AutoCloseable {
    private final JobRepository repository;
    private final ExecutionLogs logs;
    private final String actor;

    private JobSession(JobRepository repository, ExecutionLogs logs, String actor) {
        this.repository = repository;
        this.logs = logs;
        this.actor = actor;
    }

    public static JobSession open(Workspace workspace, String actor, ProgressListener progress) throws IOException {
        RepositoryPlace place = workspace.repository();
        place.create();
        ExecutionLogs logs = ExecutionLogs.writeTo(place.logFolder());
        return new JobSession(Repositories.open(place), logs, actor + progress);
    }

    public JobRepository repository() {
        return repository;
    }

    /** Ends what dead processes left; {@code recovered} hears of each. */
    public void recoverDead(Consumer<JobExecution> recovered) {
        for (DeadExecution dead : repository.deadExecutions()) {
            String detail =
                    "owner " + dead.owner().pid() + " on " + dead.owner().host() + " is dead";
            recovered.accept(repository.failDead(dead.execution(), new AuditEntry("recover", actor, detail)));
        }
    }

    @SuppressWarnings("DoNotCallSuggester")
    public LaunchResult launch(JobFile file, JobParameters parameters, Set<StepName> acceptedChanges) {
        throw new UnsupportedOperationException("not yet " + file + parameters + acceptedChanges);
    }

    @SuppressWarnings("DoNotCallSuggester")
    public LaunchResult restart(long executionId) {
        throw new UnsupportedOperationException("not yet " + executionId);
    }

    /** Memory of the running query with this label, the step or {@code step/partition}. */
    public @Nullable Memory memoryOf(String label) {
        return null;
    }

    @Override
    public void close() throws IOException {
        repository.close();
        logs.close();
    }
}
