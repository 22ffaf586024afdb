package dev.weighlock.app.command;

import dev.weighlock.app.terminal.Units;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.Drained;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a drain left, in words. */
final class DrainText {
    private DrainText() {}

    /** Nothing where everything ended. */
    static List<String> of(Drained drained, Duration limit) {
        List<String> lines = new ArrayList<>();
        if (drained.tasks() instanceof DrainResult.Incomplete left) {
            lines.add(unjoined(left, limit));
        }
        drained.held().forEach(held -> lines.add("wl: " + held));
        if (drained.persist().status() == ShutdownHooks.Status.FAILED) {
            lines.add("wl: the record could not be stored: " + drained.persist().problem());
        }
        return lines;
    }

    private static String unjoined(DrainResult.Incomplete left, Duration limit) {
        String phases = left.byPhase().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(phase -> phase.getValue() + " in " + phase.getKey())
                .collect(Collectors.joining(", "));
        String why = left.escalated() ? "were not waited for any more" : "did not end within " + Units.duration(limit);
        return "wl: " + left.unjoined() + " tasks " + why + ": " + phases;
    }
}
