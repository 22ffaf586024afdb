package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.launch.NodeSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a report tells of an attempt and does not judge.
 *
 * @param prefix begins the names, or is empty
 */
record Figures(Findings findings, String prefix) {
    /** From the request to each status, as an outsider saw it. */
    void seen(Instant sentAt, List<Seen> seen) {
        findings.latency(prefix + "request_to_stopping_seen", first(seen, BatchStatus.STOPPING, sentAt));
        findings.latency(prefix + "request_to_stopped_seen", first(seen, BatchStatus.STOPPED, sentAt));
    }

    private static Optional<Duration> first(List<Seen> seen, BatchStatus status, Instant from) {
        return seen.stream()
                .filter(one -> one.status() == status)
                .findFirst()
                .map(one -> Duration.between(from, one.at()));
    }

    /** Between the four stored instants, by the database's clock. */
    void stored(JobExecution execution) {
        Optional<Instant> requested = execution.stop().request().map(StopRequest::requestedAt);
        between("stored_request_to_seen_by_owner", requested, execution.stop().seenAt());
        between("stored_request_to_last_commit", requested, execution.stop().lastCommitAt());
        between("stored_request_to_terminal", requested, execution.endedAt());
    }

    private void between(String name, Optional<Instant> from, Optional<Instant> to) {
        findings.latency(prefix + name, from.flatMap(start -> to.map(end -> Duration.between(start, end))));
    }

    void workers(Occupancy occupancy) {
        findings.count(prefix + "workers_peak", occupancy.peak());
        findings.count(prefix + "workers_admitted", occupancy.admitted());
        findings.count(prefix + "workers_active_afterwards", occupancy.active());
    }

    /** What was asked of whom. */
    static Map<String, Object> request(Scene scene, Scene.Request request, Shape shape) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("actor", Scene.ACTOR);
        values.put("how", "compare-and-set on the version, through connections of its own");
        values.put("expected_version", request.expectedVersion());
        values.put("latencies_begin", "before the request is sent");
        values.put("stopped_bodies_end", "when the watcher has seen STOPPING");
        values.put(
                "push",
                scene.push().on()
                        ? "on: " + scene.push().how()
                        : "off: " + scene.push().how());
        values.put("poll_millis", shape.poll().toMillis());
        values.put("default_poll_millis", NodeSettings.DEFAULT.poll().toMillis());
        return values;
    }
}
