package dev.weighlock.app.prove.crash;

import dev.weighlock.app.prove.stand.ChildProgram;
import dev.weighlock.app.prove.stand.Stand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process of an owner. For one thread; closing kills what still runs. */
final class OwnerProcess implements AutoCloseable {
    private static final long PAUSE_MILLIS = 2;

    private final Process process;
    private final Path folder;
    private final Path errors;

    private OwnerProcess(Process process, Path folder, Path errors) {
        this.process = process;
        this.folder = folder;
        this.errors = errors;
    }

    /**
     * Starts it.
     *
     * @param point where it waits to be killed; null for nowhere
     */
    static OwnerProcess start(Stand stand, Class<?> program, OwnerProgram.Told told, @Nullable KillPoint point)
            throws IOException {
        Path folder = Files.createTempDirectory(stand.folder(), "owner");
        Path errors = folder.resolve("errors");
        List<String> command = new ArrayList<>(ChildProgram.command(program, told.words()));
        if (point != null) {
            command.add(1, point.option(folder));
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(errors.toFile());
        builder.environment().putAll(stand.target().environment());
        return new OwnerProcess(builder.start(), folder, errors);
    }

    /** Kills it where it waits; whether it came there before its end. */
    boolean killAtItsPoint(Duration limit) throws InterruptedException, IOException {
        long until = System.nanoTime() + limit.toNanos();
        while (!Files.exists(folder.resolve("reached"))) {
            if (process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                return false;
            }
            if (System.nanoTime() - until > 0) {
                throw new IOException("a process neither came to its point nor ended: " + said());
            }
        }
        kill();
        return true;
    }

    private void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Whether one that ended by itself did so well: its job is complete, or stopped where it asks for that. */
    boolean endedWell(OwnerProgram.Told told) {
        int code = process.exitValue();
        return code == OwnerProgram.COMPLETED || (told.stopped() && code == OwnerProgram.STOPPED);
    }

    /** Waits for its end; whether the job is complete. */
    boolean completes(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                && process.exitValue() == OwnerProgram.COMPLETED;
    }

    /** What it said last, in one line, without the places in the program. */
    String said() throws IOException {
        List<String> lines = Files.readAllLines(errors).stream()
                .filter(line -> !line.startsWith("\tat "))
                .toList();
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
