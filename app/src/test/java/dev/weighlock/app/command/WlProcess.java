package dev.weighlock.app.command;

import dev.weighlock.batch.testing.CrashPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The real program as a process of its own, on the class path of the tests. */
public final class WlProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 300;

    private final Process process;
    private final Path out;
    private final Path err;

    /** What a finished process left. */
    public record Outcome(int code, String out, String err) {}

    private WlProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code wl} with {@code words} in {@code folder}. */
    public static WlProcess start(Path folder, Map<String, String> environment, String... words) throws IOException {
        return launch(List.of(), folder, environment, List.of(), words);
    }

    /** The same as the last words of another command, which ends as {@code wl} does. */
    static WlProcess startUnder(List<String> before, Path folder, Map<String, String> environment, String... words)
            throws IOException {
        return launch(before, folder, environment, List.of(), words);
    }

    /**
     * Starts {@code wl}, which waits when it reaches the named {@link CrashPoint} for the {@code turn}-th time.
     *
     * @param mark an empty folder, where the point tells that it was reached and hears when to go on
     * @param turn from 1
     */
    public static WlProcess startUntil(String point, int turn, Path mark, Path folder, String... words)
            throws IOException {
        String armed = "-D" + CrashPoint.PROPERTY + "=" + point + ":" + turn + "=" + mark;
        return launch(List.of(), folder, Map.of(), List.of(armed), words);
    }

    private static WlProcess launch(
            List<String> before, Path folder, Map<String, String> environment, List<String> options, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                // Tests begun in a script's background inherit an ignored SIGINT, which a JVM then leaves ignored.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add("dev.weighlock.app.Main");
        command.addAll(List.of(words));
        Path streams = Files.createTempDirectory("wl-streams");
        Path out = streams.resolve("out");
        Path err = streams.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("WEIGHLOCK_"));
        // A budget of its own, unless a test shares one: what runs beside the tests must not decide them.
        builder.environment()
                .put("WEIGHLOCK_BUDGET_FOLDER", streams.resolve("budget").toString());
        builder.environment().putAll(environment);
        return new WlProcess(builder.start(), out, err);
    }

    /** Runs to the end. */
    public static Outcome run(Path folder, String... words) throws Exception {
        try (WlProcess wl = start(folder, Map.of(), words)) {
            return wl.await();
        }
    }

    public Outcome await() throws Exception {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("wl did not end; it said\n" + Files.readString(out) + Files.readString(err));
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Waits until the program has printed {@code text}; fails when it ends without. */
    public void awaitOut(String text) throws Exception {
        await(out, text);
    }

    /** The same for what it says beside the result. */
    public void awaitErr(String text) throws Exception {
        await(err, text);
    }

    private void await(Path stream, String text) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.readString(stream).contains(text)) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                throw new AssertionError(
                        "wl never said '" + text + "', but\n" + Files.readString(out) + Files.readString(err));
            }
        }
    }

    /** Waits until {@code condition} holds; fails when the program ends before. */
    public void awaitThat(String what, BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                throw new AssertionError(
                        "never " + what + "; wl said\n" + Files.readString(out) + Files.readString(err));
            }
        }
    }

    /** Waits until {@code condition} holds or the program has ended. */
    public void awaitEndOr(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean() && !process.waitFor(20, TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("wl goes on; it said\n" + Files.readString(out) + Files.readString(err));
            }
        }
    }

    /** SIGINT, as Ctrl-C sends it. */
    public void interrupt() throws Exception {
        Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -INT " + process.pid()).start();
        if (!kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new AssertionError("SIGINT could not be sent");
        }
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Ends it and waits until it is gone: a folder that it writes to can be removed only then. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
