package dev.weighlock.query.observe;

import java.util.List;

/**
 * The right to add to one attempt's observation, and no other. Any thread; never blocks for long, never throws for what
 * the recorder does. After the seal has begun everything is refused.
 */
public final class ObservationHandle {
    private final Observation observation;

    ObservationHandle(Observation observation) {
        this.observation = observation;
    }

    /** @return whether the event was kept */
    public boolean record(EventPayload payload) {
        return observation.record(payload);
    }

    public boolean recordSourceRead(String source, long rows, long bytes) {
        return record(new EventPayload.SourceRead(source, rows, bytes));
    }

    public boolean recordMemory(long usedBytes, long tempBytes) {
        return record(new EventPayload.MemorySample(usedBytes, tempBytes));
    }

    public boolean recordProgress(double fraction) {
        return record(new EventPayload.Progress(fraction));
    }

    /** Sets the engine's plan; a later one replaces it. At most 4,096 operators are kept. */
    public void setTopology(List<TopologyNode> topology) {
        observation.setTopology(topology);
    }
}
