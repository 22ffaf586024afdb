package dev.weighlock.bench.stop;

import dev.weighlock.bench.spring.SpringBatch;
import org.springframework.batch.core.step.tasklet.Tasklet;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;

/** Spring Batch, whose bodies come back to it after each slice, for there it looks for a stop. */
final class SpringRunner implements Runner {
    private static final String UNTIL = "until";

    private final SpringBatch side;
    private final Beats beats;

    SpringRunner(SpringBatch side, Beats beats) {
        this.side = side;
        this.beats = beats;
    }

    @Override
    public void run(Work work, int partitions) throws Exception {
        if (work != Work.ATTENTIVE) {
            throw new IllegalArgumentException(work + " is not compared");
        }
        Tasklet slice = (contribution, context) -> {
            long until =
                    context.getAttribute(UNTIL) instanceof Long known ? known : System.nanoTime() + Work.BODY.toNanos();
            context.setAttribute(UNTIL, until);
            beats.beat(contribution.getStepExecution().getStepName());
            Thread.sleep(Work.SLICE);
            return System.nanoTime() < until ? RepeatStatus.CONTINUABLE : RepeatStatus.FINISHED;
        };
        side.slicedPartitions(partitions, Work.WORKERS, slice);
    }

    @Override
    public void close() {
        side.close();
    }
}
