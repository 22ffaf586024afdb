package dev.weighlock.jobs.check;

import dev.weighlock.jobs.code.UserClasses;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.JobFileReader;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.yaml.NearestName;
import dev.weighlock.jobs.yaml.Problem;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.query.engine.StatementPlanner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that can be said of a job file before it runs. */
public final class JobFileCheck {
    private JobFileCheck() {}

    /**
     * What was found.
     *
     * @param file the job where there are no errors
     * @param graph the job's graph as text, or empty where there are errors
     * @param delivery what a crash may do to each step's effects
     */
    public record Result(
            List<Problem> errors,
            List<Problem> warnings,
            Optional<JobFile> file,
            String graph,
            Map<String, String> delivery) {
        public Result {
            errors = List.copyOf(errors);
            warnings = List.copyOf(warnings);
        }

        static Result refused(List<Problem> errors, List<Problem> warnings) {
            return new Result(errors, warnings, Optional.empty(), "", Map.of());
        }

        public boolean isSound() {
            return errors.isEmpty();
        }
    }

    /** Reads and checks a job file, with the connections and pools that the settings have; its SQL is not parsed. */
    public static Result check(Path file, Configuration configuration) {
        return check(file, configuration, null);
    }

    /**
     * The same, and the SQL is parsed.
     *
     * @param planner that the caller closes; null parses none
     */
    public static Result check(Path file, Configuration configuration, @Nullable StatementPlanner planner) {
        return switch (JobFileReader.fromDisk(file)) {
            case JobFileReader.Read.Refused refused -> Result.refused(refused.errors(), refused.warnings());
            case JobFileReader.Read.Sound sound -> settled(sound, configuration, planner);
        };
    }

    private static Result settled(
            JobFileReader.Read.Sound sound, Configuration configuration, @Nullable StatementPlanner planner) {
        JobFile job = sound.file();
        Problems problems = new Problems(job.source().shownName());
        DataSetRules.checkRoom(job, cacheBytes(configuration), problems);
        job.steps().forEach(step -> checkNames(step, configuration, problems));
        ContextOrder.check(job, problems);
        if (planner != null) {
            new SqlRules(job, planner, problems).check();
        }
        try (UserClasses classes = UserClasses.of(configuration)) {
            new ClassRules(classes, problems).check(job);
            EmptyInputs.check(job, problems);
            List<Problem> warnings = Stream.concat(sound.warnings().stream(), problems.warnings().stream())
                    .toList();
            if (problems.hasErrors()) {
                return Result.refused(problems.errors(), warnings);
            }
            Map<String, String> delivery = DeliveryText.of(job, classes);
            return new Result(List.of(), warnings, Optional.of(job), GraphText.of(job, delivery), delivery);
        }
    }

    private static long cacheBytes(Configuration configuration) {
        return Objects.requireNonNull(configuration.devices().get("host")).cacheBytes();
    }

    private static void checkNames(FileStep step, Configuration configuration, Problems problems) {
        Optional<String> connection = switch (step.work()) {
            case QueryKeys _ -> Optional.empty();
            case SourceKeys source -> Optional.of(source.connection());
            case ChunkKeys chunk -> Optional.of(chunk.write().connection());
            case ShellKeys _, JavaKeys _, DecisionKeys _, SplitKeys _ -> Optional.empty();
        };
        Optional<String> pool = switch (step.work()) {
            case QueryKeys query -> query.budget().pool();
            case SourceKeys source -> source.budget().pool();
            case ChunkKeys _, ShellKeys _, JavaKeys _, DecisionKeys _, SplitKeys _ -> Optional.empty();
        };
        connection.ifPresent(name ->
                checkName("connection", name, configuration.connections().keySet(), step, problems));
        pool.ifPresent(name -> checkName("pool", name, configuration.pools().keySet(), step, problems));
    }

    private static void checkName(String what, String name, Set<String> known, FileStep step, Problems problems) {
        if (known.contains(name)) {
            return;
        }
        String todo = NearestName.of(name, known)
                .map(nearest -> "did you mean '%s'?".formatted(nearest))
                .orElse("add it under '%ss' in weighlock.yaml".formatted(what));
        problems.error(step.at(), "the step '%s' names the unknown %s '%s'".formatted(step.id(), what, name), todo);
    }
}
