package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Units;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** Short texts for tables. */
public final class Phrases {
    public static final String NONE = "–";

    private static final int LONGEST_VALUE = 200;

    private Phrases() {}

    /** {@code day=2026-11-30 region=EUROPE}; parameters that do not identify stand in brackets. */
    public static String parameters(JobParameters parameters) {
        return parameters.asMap().entrySet().stream()
                .map(entry -> {
                    String text = entry.getKey().value() + "="
                            + shortLine(entry.getValue().value().text());
                    return entry.getValue().identifying() ? text : "(" + text + ")";
                })
                .collect(Collectors.joining(" "));
    }

    /** Control characters in a value must not move the cursor, nor a long one fill the screen. */
    private static String shortLine(String value) {
        String cut = value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE) + "…";
        return cut.replaceAll("\\p{Cntrl}", " ");
    }

    /** How long it took, or has taken until {@code now}. */
    public static String took(Optional<Instant> started, Optional<Instant> ended, Instant now) {
        return started.map(begin -> Units.duration(positive(Duration.between(begin, ended.orElse(now)))))
                .orElse(NONE);
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    /** The status, with the exit code where that says more. */
    public static String status(JobExecution execution) {
        String status = execution.status().name();
        String code = execution.exitStatus().code();
        boolean telling = !execution.status().isActive() && !status.equals(code);
        return telling ? status + " (" + code + ")" : status;
    }

    /** {@code read 10,000, written 9,998, skipped 2, 10 commits}; empty where nothing was counted. */
    public static String counts(StepCounts counts) {
        StringBuilder text = new StringBuilder();
        append(text, "read", counts.read());
        append(text, "written", counts.written());
        append(text, "filtered", counts.filtered());
        append(text, "skipped", counts.skipped());
        append(text, "commits", counts.commits());
        append(text, "rollbacks", counts.rollbacks());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, long count) {
        if (count > 0) {
            text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(Units.count(count));
        }
    }
}
