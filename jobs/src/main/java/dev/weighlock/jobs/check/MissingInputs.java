package dev.weighlock.jobs.check;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.jobs.csv.CsvFiles;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.CsvKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.template.Reference;
import dev.weighlock.jobs.yaml.Problem;
import dev.weighlock.jobs.yaml.Problems;
import java.util.List;
import java.util.Optional;

/** Files that a job names and that are not there when it is launched: said before anything is recorded. */
public final class MissingInputs {
    private MissingInputs() {}

    /** The missing ones; a file that another step of the job may write is not asked for. */
    public static List<Problem> of(JobFile job, JobParameters parameters) {
        Problems problems = new Problems(job.source().shownName());
        for (FileStep step : job.steps()) {
            if (step.work() instanceof ChunkKeys chunk
                    && chunk.read().onMissing() == CsvKeys.OnMissing.FAIL
                    && !mayBeWritten(job, chunk.read().glob())) {
                check(job, step, chunk.read().glob(), parameters, problems);
            }
        }
        DataSetRules.checkThere(job, problems);
        return problems.errors();
    }

    private static void check(
            JobFile job, FileStep step, PathTemplate glob, JobParameters parameters, Problems problems) {
        boolean known = glob.references().stream().allMatch(Reference.Parameter.class::isInstance);
        if (!known) {
            return;
        }
        String pattern = glob.resolve(reference -> parameters
                .value(((Reference.Parameter) reference).name())
                .map(ParameterValue::text)
                .orElse("-"));
        if (CsvFiles.find(job.source().folder(), pattern).isEmpty()) {
            problems.error(
                    step.at(),
                    "no file matches %s of the step '%s'".formatted(pattern, step.id()),
                    "check the path or write on_missing: skip");
        }
    }

    private static boolean mayBeWritten(JobFile job, PathTemplate glob) {
        String folder = folder(glob.text());
        return job.steps().stream()
                .flatMap(step -> output(step).stream())
                .anyMatch(output -> folder(output.path().text()).equals(folder));
    }

    private static Optional<OutputKeys> output(FileStep step) {
        return switch (step.work()) {
            case QueryKeys query -> query.output();
            case SourceKeys source -> Optional.of(source.output());
            case ChunkKeys _, ShellKeys _, JavaKeys _, DecisionKeys _, SplitKeys _ -> Optional.empty();
        };
    }

    private static String folder(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }
}
