package dev.weighlock.jobs.file;

import dev.weighlock.batch.MaxConcurrent;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.jobs.parameter.DeclaredParameters;
import dev.weighlock.query.engine.DataSet;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A job file that was read and found sound. Immutable.
 *
 * @param source its texts, which are stored with each launch
 * @param readDirectories absolute
 * @param writeDirectories absolute
 * @param cache the data sets that its SQL may name
 * @param transitions every way on, the unwritten ones too, in the order of the steps
 * @param recovery what happens when the process that runs it dies
 * @param maxConcurrent how many executions of it may be active at once
 */
public record JobFile(
        JobSource source,
        String name,
        Optional<String> revision,
        Optional<String> description,
        DeclaredParameters parameters,
        List<Path> readDirectories,
        List<Path> writeDirectories,
        ZoneId timeZone,
        List<CacheKey> cache,
        List<FileStep> steps,
        List<Transition> transitions,
        Job.Recovery recovery,
        Optional<MaxConcurrent> maxConcurrent) {
    public JobFile {
        readDirectories = List.copyOf(readDirectories);
        writeDirectories = List.copyOf(writeDirectories);
        cache = List.copyOf(cache);
        steps = List.copyOf(steps);
        transitions = List.copyOf(transitions);
    }

    /** What its steps share. */
    public JobScope scope() {
        Set<String> ids = stepIds();
        List<DataSet> sets = cache.stream().map(CacheKey::set).toList();
        return new JobScope(name, source.folder(), readDirectories, writeDirectories, timeZone, sets, () -> ids);
    }

    /** The steps that stand in no branch, in the order of the file; the first one is the entry. */
    public List<FileStep> mainLine() {
        Set<String> inBranches = Branches.idsOf(steps.stream().map(FileStep::work));
        return steps.stream().filter(step -> !inBranches.contains(step.id())).toList();
    }

    public FileStep step(String id) {
        return steps.stream().filter(step -> step.id().equals(id)).findFirst().orElseThrow();
    }

    /** The ids of all steps. */
    public Set<String> stepIds() {
        return steps.stream().map(FileStep::id).collect(Collectors.toUnmodifiableSet());
    }

    /** The ways on from one step. */
    public List<Transition> transitionsFrom(String id) {
        return transitions.stream().filter(one -> one.from().equals(id)).toList();
    }
}
