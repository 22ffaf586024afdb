package dev.weighlock.batch.flow;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.MaxConcurrent;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.step.JobListener;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job as defined: a checked flow graph with a name. Immutable; runs many times, also at once.
 *
 * <p>Built by {@link #named}: nodes run in the order given unless {@link JobBuilder#flow} says otherwise.
 */
public final class Job {
    /** What happens to an execution whose owner died. */
    public enum Recovery {
        /** It becomes FAILED and waits for a person. */
        FAIL,
        /** It becomes FAILED and is restarted by whoever found it, unless a stop was pending. */
        RESTART
    }

    private final JobName name;
    private final Optional<String> description;
    private final FlowGraph flow;
    private final List<JobListener> listeners;
    private final Recovery recovery;
    private final Optional<MaxConcurrent> maxConcurrent;
    private final Manifest manifest;
    private final String fingerprint;
    private final StoredDefinition definition;
    private final Set<String> upgradesFrom;

    Job(JobBuilder builder, FlowGraph flow) {
        this.name = builder.name;
        this.description = builder.description;
        this.flow = flow;
        this.listeners = List.copyOf(builder.listeners);
        this.recovery = builder.recovery;
        this.maxConcurrent = builder.maxConcurrent;
        this.manifest = Manifest.of(builder.name, builder.revision, flow);
        this.fingerprint = manifest.fingerprint();
        this.upgradesFrom = Set.copyOf(builder.upgradesFrom);
        this.definition = builder.definition(manifest);
    }

    public static JobBuilder named(String name) {
        return new JobBuilder(name);
    }

    public JobName name() {
        return name;
    }

    public Optional<String> description() {
        return description;
    }

    public FlowGraph flow() {
        return flow;
    }

    public List<JobListener> listeners() {
        return listeners;
    }

    public Recovery recovery() {
        return recovery;
    }

    /** How many executions of it may be active at once; empty for any number. */
    public Optional<MaxConcurrent> maxConcurrent() {
        return maxConcurrent;
    }

    /** SHA-256 of the {@link #manifest}: equal when a restart may go on with this definition. */
    public String fingerprint() {
        return fingerprint;
    }

    /** What the fingerprint covers. */
    public Manifest manifest() {
        return manifest;
    }

    /** Fingerprints of older definitions whose failed or stopped executions this one may restart. */
    public Set<String> upgradesFrom() {
        return upgradesFrom;
    }

    /** What is stored at launch, so that any node can restart the job. */
    public StoredDefinition definition() {
        return definition;
    }

    /** The chunk steps whose chunks a crash may write twice. */
    public List<Step> atLeastOnceSteps() {
        return flow.steps().stream()
                .filter(step ->
                        step instanceof ChunkStep<?, ?> chunk && chunk.delivery() instanceof Delivery.AtLeastOnce)
                .toList();
    }

    @Override
    public String toString() {
        return name.value();
    }
}
