package dev.weighlock.jobs.file;

import dev.weighlock.batch.MaxConcurrent;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.jobs.file.JobSource.FileText;
import dev.weighlock.jobs.parameter.DeclaredParameters;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problem;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.YamlDocument;
import dev.weighlock.jobs.yaml.YamlNode;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a job file and reports everything wrong in it at once. */
public final class JobFileReader {
    private final JobSource source;
    private final SqlFiles sqlFiles;
    private final Problems problems;

    private JobFileReader(JobSource source, SqlFiles sqlFiles) {
        this.source = source;
        this.sqlFiles = sqlFiles;
        this.problems = new Problems(source.shownName());
    }

    /** What became of a job file. */
    public sealed interface Read {
        /** Things that are doubtful and stop nothing. */
        List<Problem> warnings();

        /** The file can run. */
        record Sound(JobFile file, List<Problem> warnings) implements Read {}

        /** The file cannot run; every error, in the order of the lines. */
        record Refused(List<Problem> errors, List<Problem> warnings) implements Read {}
    }

    /** Reads a file and the SQL files that it names. */
    public static Read fromDisk(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = Optional.ofNullable(absolute.getParent()).orElse(absolute);
        return switch (JobSource.readText(absolute, file.toString())) {
            case FileText.Found found -> {
                JobSource source = new JobSource(file.toString(), folder, found.text(), Map.of());
                yield new JobFileReader(source, SqlFiles.onDisk(folder)).read();
            }
            case FileText.Missing missing -> {
                Problem problem = new Problem(
                        Problem.Severity.ERROR, file.toString(), Position.WHOLE_FILE, missing.what(), missing.todo());
                yield new Read.Refused(List.of(problem), List.of());
            }
        };
    }

    /** Reads a job as it was stored at launch; nothing is read from disk. */
    public static Read fromStored(JobSource source) {
        return new JobFileReader(source, SqlFiles.stored(source)).read();
    }

    private Read read() {
        Optional<JobFile> file = YamlDocument.parse(source.text(), problems).flatMap(this::jobFile);
        if (file.isPresent() && !problems.hasErrors()) {
            return new Read.Sound(file.get(), problems.warnings());
        }
        return new Read.Refused(problems.errors(), problems.warnings());
    }

    private Optional<JobFile> jobFile(Entries root) {
        JobGrammar.ROOT.check("job file", root, problems);
        DeclaredParameters parameters = new ParameterReader(problems).read(root);
        List<Path> readable = directories(root, "read");
        List<Path> writable = directories(root, "write");
        List<CacheKey> cache = new CacheReader(problems, source.folder(), readable).read(root);
        StepReader stepReader = new StepReader(problems, sqlFiles, source.shownName());
        List<StepReader.Outline> outlines = stepReader.read(root);
        Branches.check(outlines, problems);
        List<Transition> transitions = new FlowReader(problems, outlines).read(root);
        List<FileStep> steps =
                outlines.stream().flatMap(outline -> outline.step().stream()).toList();
        new ReferenceRules(problems, parameters, outlines).check();
        new StepRules(problems, source.folder(), writable).check(steps);
        if (problems.hasErrors()) {
            return Optional.empty();
        }
        return Optional.of(new JobFile(
                new JobSource(source.shownName(), source.folder(), source.text(), sqlFiles.used()),
                root.text("job").orElseThrow(),
                root.text("revision"),
                root.text("description"),
                parameters,
                readable,
                writable,
                root.read("time_zone", Scalars.ZONE).orElse(ZoneOffset.UTC),
                cache,
                steps,
                transitions,
                recovery(root),
                maxConcurrent(root)));
    }

    private static Job.Recovery recovery(Entries root) {
        return root.text("recover").filter("restart"::equals).isPresent() ? Job.Recovery.RESTART : Job.Recovery.FAIL;
    }

    private static Optional<MaxConcurrent> maxConcurrent(Entries root) {
        return root.map("max_concurrent")
                .flatMap(map -> map.read("runs", JobGrammar.RUNS)
                        .map(runs -> new MaxConcurrent(
                                runs.intValue(),
                                map.text("otherwise").filter("queue"::equals).isPresent()
                                        ? MaxConcurrent.Otherwise.QUEUE
                                        : MaxConcurrent.Otherwise.REFUSE)));
    }

    private List<Path> directories(Entries root, String key) {
        List<YamlNode> nodes = root.map("directories").map(map -> map.list(key)).orElse(List.of());
        if (nodes.isEmpty()) {
            return List.of(source.folder());
        }
        return nodes.stream().flatMap(node -> directory(node).stream()).toList();
    }

    private Optional<Path> directory(YamlNode node) {
        try {
            return node instanceof Scalar scalar
                    ? Optional.of(source.folder().resolve(scalar.text()).normalize())
                    : Optional.empty();
        } catch (InvalidPathException invalid) {
            problems.error(node.at(), "the folder name cannot exist", "correct the name");
            return Optional.empty();
        }
    }
}
