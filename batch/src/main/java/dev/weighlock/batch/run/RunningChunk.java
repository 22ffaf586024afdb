package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.TargetTransaction;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import java.util.Optional;

/** A chunk as its writer sees it. */
sealed interface RunningChunk extends ChunkContext {
    /** In the repository's transaction, or in none. */
    record InRepository(StepContext step, long sequence, StopToken rollback, Optional<?> enlisted)
            implements RunningChunk {
        @Override
        public <T> T transaction(Class<T> type) {
            return enlisted.filter(type::isInstance)
                    .map(type::cast)
                    .orElseThrow(() -> new BatchException(
                            BatchError.DELIVERY_UNAVAILABLE,
                            "the step \"" + step.step() + "\" commits in no " + type.getSimpleName()
                                    + ": its delivery says otherwise"));
        }
    }

    /** In the target's transaction. */
    record InTarget(StepContext step, long sequence, StopToken rollback, TargetTransaction target)
            implements RunningChunk {
        @Override
        public <T> T transaction(Class<T> type) {
            return target.unwrap(type);
        }
    }
}
