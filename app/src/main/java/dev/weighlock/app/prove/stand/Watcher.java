package dev.weighlock.app.prove.stand;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an outsider sees of a job: another process with a connection of its own looks every millisecond and tells what is
 * new. Latencies that end with a look are late by one interval at most, which is told beside them.
 *
 * <p>Thread-safe. The monitor guards what was seen; nothing else runs under it. Closing ends the process, and keeps what was seen.
 */
public final class Watcher implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Process process;
    private final Path errors;
    private final Thread reader;
    private final List<Seen> seen = new ArrayList<>();
    private boolean ready;
    private boolean over;
    private boolean closed;
    private @Nullable String looked;

    private Watcher(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.reader =
                Thread.ofPlatform().daemon().name("weighlock-prove-watcher").start(this::read);
    }

    /** Starts the process and waits until it looks. */
    static Watcher start(Target target, Path folder, String job) throws IOException, InterruptedException {
        Path errors = Files.createTempFile(folder, "watcher", ".err");
        ProcessBuilder builder = new ProcessBuilder(
                        ChildProgram.command(WatcherProcess.class, List.of(target.url(), folder.toString(), job)))
                .redirectError(errors.toFile());
        builder.environment().putAll(target.environment());
        Watcher watcher = new Watcher(builder.start(), errors);
        if (!watcher.awaitReady()) {
            watcher.process.destroyForcibly();
            throw new IOException("the watcher does not begin to look: " + complaint(errors));
        }
        return watcher;
    }

    /** Without the places in the program. */
    private static String complaint(Path errors) throws IOException {
        return Files.readString(errors)
                .lines()
                .filter(line -> !line.startsWith("\tat "))
                .collect(Collectors.joining("; "));
    }

    /** What every report says of it. */
    public static Map<String, Object> described() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("where", "another process, on a connection of its own");
        values.put("pause_between_looks_micros", WatcherProcess.PAUSE.toNanos() / 1000);
        return values;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line);
            }
        } catch (IOException e) {
            hear("broken " + e);
        } finally {
            end();
        }
    }

    private synchronized void hear(String line) {
        if (Seen.isOne(line)) {
            seen.add(Seen.parse(line));
        } else if (line.startsWith("looked ")) {
            looked = line;
        } else if (line.equals("ready")) {
            ready = true;
        }
        notifyAll();
    }

    private synchronized void end() {
        over = true;
        notifyAll();
    }

    private synchronized boolean awaitReady() throws InterruptedException {
        long until = System.nanoTime() + START.toNanos();
        while (!ready && !over && System.nanoTime() < until) {
            TimeUnit.NANOSECONDS.timedWait(this, until - System.nanoTime());
        }
        return ready;
    }

    /** The first that was seen like this, now or within {@code limit}; empty when none was. */
    public synchronized Optional<Seen> await(Predicate<Seen> wanted, Duration limit) throws InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        while (true) {
            Optional<Seen> found = seen.stream().filter(wanted).findFirst();
            long left = until - System.nanoTime();
            if (found.isPresent() || over || left <= 0) {
                return found;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Everything seen so far. */
    public synchronized List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** How often it looked; empty for one that was not ended in order. */
    public synchronized Map<String, Object> floor() {
        Map<String, Object> values = described();
        if (looked != null) {
            String[] words = looked.split(" ", -1);
            values.put("looks", Long.parseLong(words[1]));
            values.put("median_gap_micros", Long.parseLong(words[2]));
            values.put("longest_gap_micros", Long.parseLong(words[3]));
        }
        return values;
    }

    private synchronized boolean markClosed() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** @throws IOException when the process broke: then what it did not see proves nothing */
    @Override
    public void close() throws IOException {
        if (!markClosed()) {
            return;
        }
        try {
            process.outputWriter(StandardCharsets.UTF_8).append("end\n").flush();
            if (process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                reader.join(START);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        if (floor().size() == described().size() && !Thread.currentThread().isInterrupted()) {
            throw new IOException("the watcher broke: " + complaint(errors));
        }
    }
}
