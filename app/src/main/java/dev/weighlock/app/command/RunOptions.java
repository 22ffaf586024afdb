package dev.weighlock.app.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What may be said when a job file is run. */
final class RunOptions {
    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "NAME=VALUE",
            description = "A parameter of the job; may repeat.")
    Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--if-not-complete",
            description = "Exit code 0 where this instance is complete already: for timers.")
    boolean ifNotComplete;

    @Option(
            names = "--accept-change",
            paramLabel = "STEP",
            description = "Restarts although this step's definition changed; may repeat.")
    List<String> acceptedChanges = new ArrayList<>();
}
