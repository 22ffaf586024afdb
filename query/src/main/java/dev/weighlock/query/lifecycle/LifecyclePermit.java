package dev.weighlock.query.lifecycle;

/**
 * One counted right to be inside a backend. It holds no resource of the backend: whoever needs one composes it with
 * this permit.
 *
 * <p>Any thread may close it; only the first close counts. The holder closes it, in try-with-resources or at the one
 * point where its work is over.
 */
public final class LifecyclePermit implements AutoCloseable {
    private final BackendLifecycle lifecycle;
    private final PermitScope scope;
    private final OpenHandles.Entry open;

    LifecyclePermit(BackendLifecycle lifecycle, PermitScope scope, OpenHandles.Entry open) {
        this.lifecycle = lifecycle;
        this.scope = scope;
        this.open = open;
    }

    public PermitScope scope() {
        return scope;
    }

    @Override
    public void close() {
        if (open.tryClose()) {
            lifecycle.release(scope);
        }
    }
}
