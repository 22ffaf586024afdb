package dev.weighlock.jobs.check;

import dev.weighlock.jobs.code.UserClasses;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a crash or a stop may do to the effects of each step, in words. */
final class DeliveryText {
    private static final String WHOLE_FILE = "the file whole or not at all; a crash in between writes it again";

    private DeliveryText() {}

    /** By step, in the order of the file; splits have none of their own. */
    static Map<String, String> of(JobFile job, UserClasses classes) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (FileStep step : job.steps()) {
            String text = text(step, classes);
            if (!text.isEmpty()) {
                texts.put(step.id(), text);
            }
        }
        return texts;
    }

    private static String text(FileStep step, UserClasses classes) {
        return switch (step.work()) {
            case QueryKeys query -> query.output().isPresent() ? WHOLE_FILE : "its first rows, with the step's end";
            case SourceKeys _ -> WHOLE_FILE;
            case ChunkKeys chunk ->
                switch (chunk.delivery()) {
                    case ATOMIC ->
                        "exactly once: rows and checkpoint in one commit of "
                                + chunk.write().connection();
                    case AT_LEAST_ONCE -> "at least once: a crash writes its last chunk again";
                };
            case ShellKeys _ -> "at least once: a crash or a stop in the middle runs the program again";
            case JavaKeys java ->
                classes.isExactlyOnce(java.className())
                        ? "exactly once, as its class says"
                        : "at least once: a crash or a stop in the middle runs the class again";
            case DecisionKeys _ -> "once: the answer is stored before the next step begins";
            case SplitKeys _ -> "";
        };
    }
}
