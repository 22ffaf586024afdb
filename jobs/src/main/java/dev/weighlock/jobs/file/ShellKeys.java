package dev.weighlock.jobs.file;

import dev.weighlock.jobs.template.Argument;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A shell step: a program with its arguments, each of which stays one.
 *
 * @param env added to the process's own environment
 * @param exitCodes numbers of the program to exit codes of the step
 */
public record ShellKeys(List<Argument> command, Map<String, Argument> env, Map<Integer, String> exitCodes)
        implements StepWork {
    public ShellKeys {
        command = List.copyOf(command);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
        exitCodes = Collections.unmodifiableMap(new LinkedHashMap<>(exitCodes));
    }
}
