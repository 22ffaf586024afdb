package dev.weighlock.batch.flow;

import dev.weighlock.batch.StepName;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the builders of all steps share. For one thread. */
public abstract sealed class StepBuilder<B extends StepBuilder<B>> permits TaskletStep.Builder, ChunkStep.Builder {
    final StepName name;
    String kind;
    String revision = "1";
    private int startLimit = Integer.MAX_VALUE;
    private boolean allowStartIfComplete;
    private final List<StepListener> listeners = new ArrayList<>();
    private Optional<Partitioning> partitioning = Optional.empty();
    private int connections = 1;

    StepBuilder(String name, String kind) {
        this.name = new StepName(name);
        this.kind = kind;
    }

    abstract B self();

    public abstract Step build();

    /** The kind that people see, such as {@code query}. */
    public B kind(String label) {
        kind = label;
        return self();
    }

    /** Changes when the work changes: a version, or the digest of SQL or settings. */
    public B revision(String text) {
        revision = text;
        return self();
    }

    public B startLimit(int attempts) {
        startLimit = attempts;
        return self();
    }

    public B allowStartIfComplete(boolean allow) {
        allowStartIfComplete = allow;
        return self();
    }

    public B listener(StepListener listener) {
        listeners.add(listener);
        return self();
    }

    public B partitioned(Partitioning by) {
        partitioning = Optional.of(by);
        return self();
    }

    /** A cursor stays open on the repository's database while a body works: one connection of its pool more. */
    public B withCursor() {
        connections = 2;
        return self();
    }

    final StepSettings settings() {
        return new StepSettings(startLimit, allowStartIfComplete, listeners, partitioning, connections);
    }
}
