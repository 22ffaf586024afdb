package dev.weighlock.query.observe;

import java.util.List;

/** One attempt's observation after its end; nothing is added to it any more. */
public record SealedObservation(
        ObservationManifest manifest,
        List<TopologyNode> topology,
        List<ObservationEvent> events,
        ObservationFooter footer) {
    public SealedObservation {
        topology = List.copyOf(topology);
        events = List.copyOf(events);
    }
}
