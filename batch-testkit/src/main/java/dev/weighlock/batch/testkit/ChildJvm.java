package dev.weighlock.batch.testkit;

import dev.weighlock.batch.testing.CrashPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A main class in a JVM of its own, on this JVM's class path, to be killed at a {@link CrashPoint} as a crash would, to
 * be let go on from there, or to be stopped whole, as a suspended machine would be.
 *
 * <p>For one thread. Closing kills what still runs; every wait is bounded.
 */
public final class ChildJvm implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final Process process;
    private final Path folder;

    private ChildJvm(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** Runs {@code main}; its output goes to a file in {@code folder}, which is made. */
    public static ChildJvm start(Class<?> main, Path folder, List<String> arguments) {
        return start(main, folder, List.of(), arguments);
    }

    /**
     * Runs {@code main} until it reaches the named point for the {@code turn}-th time; there it waits.
     *
     * @param turn from 1
     */
    public static ChildJvm startUntil(String point, int turn, Class<?> main, Path folder, List<String> arguments) {
        return startUntil(point, turn, List.of(), main, folder, arguments);
    }

    /** The same with options for the JVM. */
    public static ChildJvm startUntil(
            String point, int turn, List<String> options, Class<?> main, Path folder, List<String> arguments) {
        var all = new ArrayList<>(options);
        all.add("-D" + CrashPoint.PROPERTY + "=" + point + ":" + turn + "=" + folder);
        return start(main, folder, all, arguments);
    }

    /** Runs {@code main} with options for the JVM, which beat its usual ones. */
    public static ChildJvm start(Class<?> main, Path folder, List<String> options, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-ea"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        try {
            Files.createDirectories(folder);
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            return new ChildJvm(process, folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + main.getName(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Waits until the child stands at its crash point, or has ended without reaching it.
     *
     * @return whether it stands there
     */
    public boolean awaitReached() {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!Files.exists(folder.resolve("reached"))) {
            if (!process.isAlive()) {
                return Files.exists(folder.resolve("reached"));
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the child neither reached its crash point nor ended: " + output());
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    /** SIGKILL, as the kernel would; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGSTOP: no thread of the child runs until {@link #resume}. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .start();
            if (!kill.waitFor(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("the child " + pid() + " takes no signal " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send a signal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while sending a signal", e);
        }
    }

    /** Lets the child go on from its crash point. */
    public void letContinue() {
        try {
            Files.createFile(folder.resolve("continue"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot let the child go on", e);
        }
    }

    /** Waits for the end; returns the exit code. */
    public int awaitExit() {
        return awaitExit(LONGEST_WAIT);
    }

    /** The same with a wait of the caller's choice. */
    public int awaitExit(Duration atMost) {
        try {
            if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the child does not end: " + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the child", e);
        }
    }

    /** What it wrote to its standard output and error so far. */
    public String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the child's output", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
