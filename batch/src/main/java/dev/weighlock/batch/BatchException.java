package dev.weighlock.batch;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The one unchecked root of the batch runtime's refusals and failures. Its message says what, which, and what next. */
public class BatchException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final BatchError error;

    public BatchException(BatchError error, String message) {
        this(error, message, null);
    }

    public BatchException(BatchError error, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    /** Why, as a closed code; the message is for people. */
    public BatchError error() {
        return error;
    }
}
