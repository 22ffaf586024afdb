package dev.weighlock.jobs.compile;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.ItemProcessor;
import dev.weighlock.batch.flow.Decider;
import dev.weighlock.batch.partition.Partitioner;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.step.JobContext;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.step.StepListener;
import dev.weighlock.batch.tasklet.BlockingTasklet;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.jobs.code.ExactlyOnce;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Classes as users write them, named by job files of the tests. What they saw stands in {@link #SEEN}. */
public final class UserCode {
    static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    private UserCode() {}

    /** Tells its values and its partition. */
    public static final class Telling implements Tasklet {
        private final Map<String, String> with;

        public Telling(Map<String, String> with) {
            this.with = with;
        }

        @Override
        public TaskletOutcome run(StepContext context) {
            String partition =
                    context.partition().map(scope -> scope.key() + ":").orElse("");
            with.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(entry -> SEEN.add(partition + entry.getKey() + "=" + entry.getValue()));
            context.put("greeting", "hello");
            return TaskletOutcome.completedWith("TOLD");
        }
    }

    /** Cannot be stopped. */
    @ExactlyOnce
    public static final class Deaf implements BlockingTasklet {
        @Override
        public ExitStatus run(StepContext context) {
            SEEN.add("deaf");
            return ExitStatus.COMPLETED;
        }
    }

    /** Always LEFT. */
    public static final class Left implements Decider {
        @Override
        public String decide(JobContext context) {
            SEEN.add("decided");
            return "LEFT";
        }
    }

    /** Two partitions. */
    public static final class Halves implements Partitioner {
        @Override
        public List<PlannedPartition> plan(StepContext context) {
            SEEN.add("planned");
            return List.of(
                    new PlannedPartition("first", ExecutionContext.EMPTY.with("key", "first")),
                    new PlannedPartition("second", ExecutionContext.EMPTY.with("key", "second")));
        }
    }

    /** Tells of steps and chunks. */
    public static final class Watching implements StepListener, ChunkListener {
        @Override
        public void beforeStep(StepContext context) {
            SEEN.add("before " + context.step().value());
        }

        @Override
        public void afterStep(StepContext context, StepExecution step) {
            SEEN.add("after " + step.status());
        }

        @Override
        public void afterChunk(StepContext context, StepCounts attempt) {
            SEEN.add("chunk " + attempt.written());
        }
    }

    /** A bad order. */
    public static final class BadOrder extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadOrder(String message) {
            super(message);
        }
    }

    /** Leaves out item 2, fails on item 3, changes the others. */
    public static final class Changing implements ItemProcessor<Map<String, Object>, Map<String, Object>> {
        @Override
        public @Nullable Map<String, Object> process(Map<String, Object> item) {
            Object id = item.get("id");
            if (Long.valueOf(2).equals(id)) {
                return null;
            }
            if (Long.valueOf(3).equals(id)) {
                throw new BadOrder("order 3 is bad");
            }
            Map<String, Object> changed = new HashMap<>(item);
            changed.put("name", item.get("name") + "!");
            return changed;
        }
    }
}
