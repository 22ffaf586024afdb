package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.step.JobContext;
import dev.weighlock.batch.stop.StopToken;
import java.util.UUID;

/** What code of a job sees of its run. */
class RunningContext implements JobContext {
    final JobRun run;
    private final StopToken stopToken;

    RunningContext(JobRun run, StopToken stopToken) {
        this.run = run;
        this.stopToken = stopToken;
    }

    @Override
    public JobName job() {
        return run.execution().instance().name();
    }

    @Override
    public long instanceId() {
        return run.execution().instance().id();
    }

    @Override
    public long executionId() {
        return run.executionId();
    }

    @Override
    public int jobAttempt() {
        return run.execution().attempt();
    }

    @Override
    public JobParameters parameters() {
        return run.execution().parameters();
    }

    @Override
    public String secret(String parameter) {
        return run.secrets().value(parameter);
    }

    @Override
    public ExecutionContext jobContext() {
        return run.row().context();
    }

    @Override
    public ExecutionContext stepContext(StepName step) {
        return run.repository().stepContext(instanceId(), step);
    }

    @Override
    public UUID repositoryId() {
        return run.repository().id();
    }

    @Override
    public long epoch() {
        return run.execution().epoch();
    }

    @Override
    public StopToken stopToken() {
        return stopToken;
    }
}
