package dev.weighlock.jobs.shell;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.jobs.StepFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a program. A stop asks it and its children to end, and kills what is left of them after a grace. The
 * calling thread reads its output meanwhile, so that a full pipe never holds it up.
 */
final class ShellProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ShellProcess.class);
    private static final long GRACE_SECONDS = 10;

    private final List<String> command;
    private final Map<String, String> environment;
    private final Path folder;
    private final ShellOutput output;
    private final RunningPrograms programs;
    private final ProgramTree tree = ProgramTree.next();
    private final AtomicBoolean asked = new AtomicBoolean();

    /**
     * How it ended.
     *
     * @param stopped whether it ended because of a stop: one that ended well on its own is not
     * @param lines of output
     */
    record End(int exitCode, boolean stopped, Duration elapsed, long lines) {}

    ShellProcess(
            List<String> command,
            Map<String, String> environment,
            Path folder,
            ShellOutput output,
            RunningPrograms programs) {
        this.command = command;
        this.environment = environment;
        this.folder = folder;
        this.output = output;
        this.programs = programs;
    }

    End run(StopToken stop) throws InterruptedException {
        long begun = System.nanoTime();
        Process process = start();
        programs.began(process, command.getFirst(), tree);
        try (StopToken.Registration _ = stop.onStop(() -> end(process))) {
            long lines = read(process);
            int exitCode = process.waitFor();
            return new End(exitCode, asked.get() && exitCode != 0, Duration.ofNanos(System.nanoTime() - begun), lines);
        } finally {
            if (process.isAlive()) {
                tree.processes(process).forEach(ProcessHandle::destroyForcibly);
            }
            programs.ended(process);
        }
    }

    private Process start() {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().putAll(environment);
        builder.environment().put(ProgramTree.VARIABLE, tree.mark());
        try {
            return builder.start();
        } catch (IOException unusable) {
            throw new StepFailure(
                    FailureCategory.DEPENDENCY_FAILED,
                    "%s cannot be started; check its name, its rights and the PATH".formatted(command.getFirst()),
                    unusable);
        }
    }

    /** A killed program's pipe may break: its exit code says more than that. */
    private long read(Process process) {
        try {
            return output.copy(process.getInputStream());
        } catch (IOException broken) {
            LOG.debug("the output of {} broke off", command.getFirst(), broken);
            return 0;
        }
    }

    private void end(Process process) {
        asked.set(true);
        List<ProcessHandle> all = tree.processes(process);
        all.forEach(ProcessHandle::destroy);
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} does not end when asked to: it is killed", command.getFirst());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        // Children that outlive it hold its pipe open; they may have begun others meanwhile.
        all.forEach(ProcessHandle::destroyForcibly);
        tree.processes(process).forEach(ProcessHandle::destroyForcibly);
    }
}
