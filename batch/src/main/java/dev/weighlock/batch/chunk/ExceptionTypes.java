package dev.weighlock.batch.chunk;

import java.util.List;

/** How a failure is matched with the types that a policy names. */
final class ExceptionTypes {
    private ExceptionTypes() {}

    /** An interrupt is a stop and an {@link Error} a broken runtime; neither is a bad item. */
    static boolean match(List<Class<? extends Throwable>> types, Throwable failure) {
        if (failure instanceof InterruptedException || failure instanceof Error) {
            return false;
        }
        return types.isEmpty() || types.stream().anyMatch(type -> type.isInstance(failure));
    }
}
