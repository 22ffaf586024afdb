package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What may be said when a job file is run. */
final class RunOptions {
    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "NAME=VALUE",
            description = "A parameter of the job; may repeat.")
    List<String> given = new ArrayList<>();

    @Option(
            names = "--if-not-complete",
            description = "Exit code 0 where this instance is complete already: for timers.")
    boolean ifNotComplete;

    @Option(
            names = "--accept-change",
            paramLabel = "STEP",
            description = "Restarts although this step's definition changed; may repeat.")
    List<String> acceptedChanges = new ArrayList<>();

    @Mixin
    ShellOption shell = new ShellOption();

    /** The values as they were given: quotes are the shell's business, not ours. The last of one name counts. */
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : given) {
            int equals = parameter.indexOf('=');
            if (equals < 1) {
                throw new CommandFailure(
                        ExitCode.USAGE, "the parameter '" + parameter + "' has no value", "write -p NAME=VALUE");
            }
            parameters.put(parameter.substring(0, equals), parameter.substring(equals + 1));
        }
        return parameters;
    }
}
