package dev.weighlock.app.prove.crash;

import dev.weighlock.batch.testing.CrashPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A place at which a process is killed, when it comes there for the {@code turn}-th time.
 *
 * @param name as the runtime has it
 */
record KillPoint(String name, int turn) {
    /** Around every commit of a job with one chunk step and another step after it. */
    static final List<KillPoint> CHUNK_JOB = List.of(
            at("job.started", 1),
            at("step.created", 1),
            at("chunk.in-transaction", 3),
            at("chunk.guarded", 3),
            at("chunk.committed", 3),
            at("step.finishing", 1),
            at("step.finished", 1),
            at("decision.recorded", 1),
            at("job.finishing", 1),
            at("job.finished", 1));

    /** Around every commit of a partitioned chunk step besides. */
    static final List<KillPoint> PARTITIONED_JOB = List.of(
            at("partition.planned", 1),
            at("partition.claimed", 1),
            at("partition.running", 2),
            at("chunk.in-transaction", 3),
            at("chunk.guarded", 3),
            at("chunk.committed", 3),
            at("partition.finishing", 1),
            at("partition.finished", 1),
            at("step.finishing", 1),
            at("job.finishing", 1));

    /** On the way from a stop to its end, of a job that asks for its own. */
    static final List<KillPoint> STOPPED_JOB = List.of(
            at("job.stopping", 1),
            at("partition.finishing", 1),
            at("partition.stopped-planned", 1),
            at("step.finishing", 1),
            at("job.finishing", 1));

    /** All that there are, each once. */
    static final List<String> NAMES = Stream.of(CHUNK_JOB, PARTITIONED_JOB, STOPPED_JOB)
            .flatMap(List::stream)
            .map(KillPoint::name)
            .distinct()
            .toList();

    private static KillPoint at(String name, int turn) {
        return new KillPoint(name, turn);
    }

    /** The option of a JVM that waits there, and tells so in a folder. */
    String option(Path folder) {
        return "-D" + CrashPoint.PROPERTY + "=" + name + ":" + turn + "=" + folder;
    }
}
