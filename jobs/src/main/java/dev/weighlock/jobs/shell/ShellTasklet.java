package dev.weighlock.jobs.shell;

import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.template.Argument;
import dev.weighlock.jobs.value.StepValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Runs a shell step: a program in the job's folder, its output in the execution's log, its exit code routed. */
public final class ShellTasklet implements Tasklet {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JobScope job;
    private final ShellKeys keys;
    private final boolean allowed;
    private final RunningPrograms programs;

    /** @param allowed whether whoever started this process allowed shell steps */
    public ShellTasklet(JobScope job, ShellKeys keys, boolean allowed, RunningPrograms programs) {
        this.job = job;
        this.keys = keys;
        this.allowed = allowed;
        this.programs = programs;
    }

    @Override
    public TaskletOutcome run(StepContext context) throws Exception {
        if (!allowed) {
            throw new StepFailure(FailureCategory.STEP_FAILED, "shell steps run with --allow-shell only");
        }
        StepValues values = new StepValues(context, job.stepIds());
        List<String> command = new ArrayList<>();
        for (Argument argument : keys.command()) {
            command.add(checked(values.argument(argument)));
        }
        Map<String, String> environment = new LinkedHashMap<>();
        List<String> secrets = new ArrayList<>();
        keys.env().forEach((name, argument) -> {
            String value = checked(values.argument(argument));
            environment.put(name, value);
            if (values.isSecret(argument) && !value.isEmpty()) {
                secrets.add(value);
            }
        });
        ShellOutput output = new ShellOutput(context.step().value(), secrets);
        ShellProcess.End end =
                new ShellProcess(command, environment, job.folder(), output, programs).run(context.stopToken());
        context.evidence(evidence(command, end));
        return outcome(end, command.getFirst());
    }

    /** The kernel ends an argument at a NUL: it would be another than the one given. */
    private static String checked(String argument) {
        if (argument.indexOf('\0') >= 0) {
            throw new StepFailure(FailureCategory.DATA_ERROR, "a value holds a NUL, which no argument can hold");
        }
        return argument;
    }

    private TaskletOutcome outcome(ShellProcess.End end, String program) {
        if (end.stopped()) {
            return TaskletOutcome.STOPPED;
        }
        String code = keys.exitCodes().get(end.exitCode());
        if (code == null && end.exitCode() == 0) {
            return TaskletOutcome.COMPLETED;
        }
        if (code == null || code.equals(ExitStatus.FAILED.code())) {
            throw new StepFailure(
                    FailureCategory.STEP_FAILED,
                    "%s ended with exit code %d; its output is in the log".formatted(program, end.exitCode()));
        }
        return TaskletOutcome.completedWith(code);
    }

    private String evidence(List<String> command, ShellProcess.End end) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("schema", "weighlock.shell-evidence/1");
        fields.put("delivery", "at_least_once");
        fields.put("program", command.getFirst());
        fields.put("arguments", command.size() - 1);
        fields.put("variables", keys.env().keySet());
        fields.put("exit_code", end.exitCode());
        fields.put("stopped", end.stopped());
        fields.put("elapsed_ms", end.elapsed().toMillis());
        fields.put("output_lines", end.lines());
        return JSON.writeValueAsString(fields);
    }
}
