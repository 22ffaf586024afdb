package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.template.Argument;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A shell step. For one thread. */
public final class ShellDraft extends StepDraft<ShellDraft> {
    private final List<Argument> command;
    private final Map<String, Argument> env = new LinkedHashMap<>();
    private final Map<Integer, String> exitCodes = new LinkedHashMap<>();

    ShellDraft(JobSteps job, String id, List<String> command) {
        super(job, id);
        this.command = command.stream().map(Argument::parse).toList();
    }

    @Override
    ShellDraft self() {
        return this;
    }

    public ShellDraft env(String name, String value) {
        env.put(name, Argument.parse(value));
        return this;
    }

    /** A number of the program's that means an exit code of the step. */
    public ShellDraft exitCode(int number, String code) {
        exitCodes.put(number, code);
        return this;
    }

    @Override
    ShellKeys work() {
        return new ShellKeys(command, env, exitCodes);
    }
}
