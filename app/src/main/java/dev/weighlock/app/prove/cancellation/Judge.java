package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Bodies.Body;
import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StopRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What must hold of an attempt, judged by the database and the watcher alone.
 *
 * @param what names the attempt in violations
 */
record Judge(Findings findings, String what) {
    /** STOPPED, with exit STOPPED, on the job and its step. */
    void stopped(Recorded recorded) {
        JobExecution execution = recorded.execution();
        findings.require(
                execution.status() == BatchStatus.STOPPED
                        && execution.exitStatus().equals(ExitStatus.STOPPED),
                what + " is recorded as " + execution.status() + " with exit "
                        + execution.exitStatus().code() + ", not as STOPPED with exit STOPPED");
        recorded.steps().stream()
                .filter(step -> step.status() != BatchStatus.STOPPED)
                .forEach(step -> findings.violation(
                        what + ": step " + step.name() + " is recorded as " + step.status() + ", not as STOPPED"));
    }

    /**
     * Every partition of the plan is there, none is left begun or planned, none ran twice, and each that this attempt
     * completed has the row of a body that says so.
     */
    void whole(Recorded recorded, List<String> plan) {
        for (String key : plan) {
            Optional<PartitionStatus> status = recorded.partition(key).map(partition -> partition.status());
            if (status.isEmpty()) {
                findings.violation(what + ": partition " + key + " of the plan is lost");
            } else if (status.get() == PartitionStatus.STARTED || status.get() == PartitionStatus.PLANNED) {
                findings.violation(what + ": partition " + key + " is still " + status.get() + " after the end");
            }
        }
        Set<String> ran = new HashSet<>();
        for (Body body : recorded.bodies()) {
            findings.require(ran.add(body.key()), what + ": partition " + body.key() + " ran twice in one attempt");
        }
        Set<String> said = recorded.bodies().stream()
                .filter(body -> body.outcome().equals("COMPLETED"))
                .map(Body::key)
                .collect(Collectors.toSet());
        recorded.partitions().stream()
                .filter(partition -> partition.status() == PartitionStatus.COMPLETED && !partition.carriedOver())
                .filter(partition -> !said.contains(partition.key()))
                .forEach(partition -> findings.violation(what + ": partition " + partition.key()
                        + " is COMPLETED, and no body says that it completed it"));
    }

    /** What was committed before the request, and whatever a body completed, is COMPLETED. */
    void preserved(Recorded recorded, Collection<String> committedBefore) {
        Set<String> completed = recorded.completed();
        committedBefore.stream()
                .filter(key -> !completed.contains(key))
                .forEach(key -> findings.violation(
                        what + ": partition " + key + " was committed before the request and is not any more"));
        recorded.bodies().stream()
                .filter(body -> body.outcome().equals("COMPLETED") && !completed.contains(body.key()))
                .filter(body -> !committedBefore.contains(body.key()))
                .forEach(body -> findings.violation(
                        what + ": the body of partition " + body.key() + " completed, its partition is not COMPLETED"));
    }

    /** STOPPING, then the end, as they were seen from outside. */
    void inOrder(List<Seen> seen) {
        int stopping = first(seen, BatchStatus.STOPPING);
        int over = first(seen, BatchStatus.STOPPED);
        findings.require(stopping >= 0, what + ": STOPPING was never seen from outside");
        findings.require(over >= 0, what + ": STOPPED was never seen from outside");
        findings.require(
                stopping < 0 || over < 0 || stopping < over,
                what + ": the terminal status was seen before the intake stopped");
    }

    private static int first(List<Seen> seen, BatchStatus status) {
        for (int i = 0; i < seen.size(); i++) {
            if (seen.get(i).status() == status) {
                return i;
            }
        }
        return -1;
    }

    /** No body runs when the end is seen, and none lives on after it; by the bodies' own rows. */
    void nothingRuns(List<Seen> seen, Recorded recorded) {
        List<Seen> after = seen.stream().filter(one -> !one.status().isActive()).toList();
        if (after.isEmpty()) {
            findings.violation(what + ": no end was seen from outside, so nothing is known of what ran then");
            return;
        }
        Seen end = after.getFirst();
        findings.require(
                end.running() == 0,
                what + ": " + end.running() + " worker(s) still ran when " + end.status() + " was seen");
        Seen last = after.getLast();
        findings.require(
                last.beats() == end.beats() && last.bodies() == end.bodies() && last.running() <= end.running(),
                what + ": worker(s) outlived their parent: heartbeats went on after " + end.status());
        findings.require(
                last.bodies() == recorded.bodies().size(),
                what + ": " + last.bodies() + " bodies were seen from outside, and there are rows of "
                        + recorded.bodies().size());
        Optional<Instant> ended = recorded.execution().endedAt();
        if (ended.isPresent()) {
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, ended.get());
            recorded.bodies().stream()
                    .filter(body -> body.endedMicros().orElse(Long.MAX_VALUE) > micros)
                    .forEach(body -> findings.violation(what + ": the worker of partition " + body.key()
                            + " outlived its parent, by its own heartbeat row"));
        }
    }

    /** What the bodies counted in this process, in all attempts of it, is what their rows say; and none is left. */
    void counted(Occupancy occupancy, long rows) {
        findings.require(
                occupancy.admitted() == rows,
                what + ": " + occupancy.admitted() + " bodies began, and there are rows of " + rows);
        findings.require(
                occupancy.active() == 0,
                what + ": " + occupancy.active() + " bodies are left in the process that ran it");
    }

    /** The four stored instants of a stop, in their order. */
    void instants(JobExecution execution) {
        Optional<Instant> requested = execution.stop().request().map(StopRequest::requestedAt);
        Optional<Instant> seen = execution.stop().seenAt();
        Optional<Instant> over = execution.endedAt();
        if (requested.isEmpty() || seen.isEmpty() || over.isEmpty()) {
            findings.violation(what + ": not all instants of the stop are stored");
            return;
        }
        boolean ordered = !seen.get().isBefore(requested.get()) && !over.get().isBefore(seen.get());
        boolean commitFits = execution
                .stop()
                .lastCommitAt()
                .map(commit -> !commit.isAfter(over.get()))
                .orElse(true);
        findings.require(ordered && commitFits, what + ": the stored instants of the stop are out of order");
    }
}
