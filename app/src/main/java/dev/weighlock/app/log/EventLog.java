package dev.weighlock.app.log;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.run.ProgressEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Writes what a run tells of itself into its log: a line for each step, partition and stop. Chunks are too many for that. */
public final class EventLog {
    private static final Logger LOG = LoggerFactory.getLogger("job");

    private EventLog() {}

    /** Writes the event to the log of its execution, which the process's other messages join once it began. */
    public static void write(ExecutionLogs logs, ProgressEvent event) {
        if (event instanceof ProgressEvent.JobBegan) {
            logs.belongTo(event.executionId());
        }
        try (MDC.MDCCloseable _ = MDC.putCloseable(FileAppender.EXECUTION, Long.toString(event.executionId()))) {
            write(event);
        }
    }

    private static void write(ProgressEvent event) {
        switch (event) {
            case ProgressEvent.JobBegan began -> jobBegan(began.execution());
            case ProgressEvent.JobEnded ended -> jobEnded(ended.execution());
            case ProgressEvent.StepBegan began ->
                LOG.info("step {} began", began.step().name());
            case ProgressEvent.StepEnded ended -> stepEnded(ended.step());
            case ProgressEvent.StepReused reused ->
                LOG.info(
                        "step {} was completed by an earlier attempt",
                        reused.step().name());
            case ProgressEvent.PartitionsPlanned planned ->
                LOG.info(
                        "step {} has {} partitions to run, {} are complete already",
                        planned.step().name(),
                        planned.planned(),
                        planned.carriedOver());
            case ProgressEvent.PartitionBegan began ->
                LOG.info("partition {} began", began.partition().key());
            case ProgressEvent.PartitionEnded ended -> partitionEnded(ended.partition());
            case ProgressEvent.ChunkCommitted _ -> {}
            case ProgressEvent.StopSeen seen ->
                LOG.info("the stop of execution {} was seen", seen.execution().id());
        }
    }

    private static void jobBegan(JobExecution execution) {
        LOG.info(
                "execution {} of {} began, attempt {}",
                execution.id(),
                execution.instance().name(),
                execution.attempt());
    }

    private static void jobEnded(JobExecution execution) {
        LOG.info(
                "execution {} ended {} {}",
                execution.id(),
                execution.status(),
                execution.diagnostics().orElse(""));
    }

    private static void stepEnded(StepExecution step) {
        LOG.info(
                "step {} ended {}{} {}",
                step.name(),
                step.status(),
                counts(step.counts()),
                step.diagnostics().orElse(""));
    }

    private static void partitionEnded(PartitionExecution partition) {
        LOG.info(
                "partition {} ended {}{} {}",
                partition.key(),
                partition.status(),
                counts(partition.counts()),
                partition.diagnostics().orElse(""));
    }

    private static String counts(StepCounts counts) {
        if (counts.equals(StepCounts.ZERO)) {
            return "";
        }
        return ", read " + counts.read() + ", written " + counts.written() + ", filtered " + counts.filtered()
                + ", skipped " + counts.skipped() + ", commits " + counts.commits();
    }
}
