package dev.weighlock.app.prove.crash;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.step.StepContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks for the stop of its own job once it has read so many, and goes on when the stop is there. For its step's thread. */
final class StoppingReader implements ItemReader<Long> {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final ItemReader<Long> numbers;
    private final StepContext step;
    private final int before;
    private final JobOperator operator;
    private int read;

    StoppingReader(ItemReader<Long> numbers, StepContext step, int before, JobOperator operator) {
        this.numbers = numbers;
        this.step = step;
        this.before = before;
        this.operator = operator;
    }

    @Override
    public void open(ExecutionContext context, StepContext opening) throws Exception {
        numbers.open(context, opening);
    }

    @Override
    public @Nullable Long read() throws Exception {
        if (read++ == before) {
            operator.stop(step.executionId(), "operator:weighlock-prove");
            if (!step.stopToken().await(LONGEST)) {
                throw new IllegalStateException("the stop was not seen within " + LONGEST);
            }
        }
        return numbers.read();
    }

    @Override
    public ExecutionContext update(ExecutionContext context) throws Exception {
        return numbers.update(context);
    }

    @Override
    public void close() throws Exception {
        numbers.close();
    }
}
