package dev.weighlock.batch.flow;

import dev.weighlock.batch.StepName;
import dev.weighlock.batch.tasklet.Tasklet;

/** A step that is one piece of work, or one a partition. */
public record TaskletStep(StepName name, String kind, String revision, Tasklet tasklet, StepSettings settings)
        implements Step {
    /** A step with default settings, revision {@code 1}. */
    public static TaskletStep of(String name, Tasklet tasklet) {
        return named(name, tasklet).build();
    }

    public static Builder named(String name, Tasklet tasklet) {
        return new Builder(name, tasklet);
    }

    public static final class Builder extends StepBuilder<Builder> {
        private final Tasklet tasklet;

        private Builder(String name, Tasklet tasklet) {
            super(name, "tasklet");
            this.tasklet = tasklet;
        }

        @Override
        Builder self() {
            return this;
        }

        @Override
        public TaskletStep build() {
            return new TaskletStep(name, kind, revision, tasklet, settings());
        }
    }
}
