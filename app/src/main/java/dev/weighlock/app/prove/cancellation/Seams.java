package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Where a fault can be planted that a report must then notice: in what a worker's body does, in what was seen, in what a
 * drain said. The product has no such places; these are the campaign's own.
 *
 * @param body stands around each body
 * @param seen looks, in order, between the watcher and the judgement
 * @param drain between the coordinator and the judgement
 */
record Seams(AroundBody body, UnaryOperator<List<Seen>> seen, UnaryOperator<DrainResult> drain) {
    static final Seams NONE =
            new Seams((work, body) -> body.run(work), UnaryOperator.identity(), UnaryOperator.identity());

    /** What a body does. */
    @FunctionalInterface
    interface Body {
        TaskletOutcome run(Work work) throws Exception;
    }

    /** Runs the body, or does something else. */
    @FunctionalInterface
    interface AroundBody {
        TaskletOutcome run(Work work, Body body) throws Exception;
    }

    Seams withBody(AroundBody other) {
        return new Seams(other, seen, drain);
    }

    Seams withSeen(UnaryOperator<List<Seen>> other) {
        return new Seams(body, other, drain);
    }

    Seams withDrain(UnaryOperator<DrainResult> other) {
        return new Seams(body, seen, other);
    }
}
