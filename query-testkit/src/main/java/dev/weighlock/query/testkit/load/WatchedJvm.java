package dev.weighlock.query.testkit.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Java program as a process of its own, on this one's class path, whose resident set this process samples every 50 ms
 * until it ends.
 *
 * @param residentBytes the samples in order
 */
public record WatchedJvm(int exitCode, List<String> output, String errors, List<Long> residentBytes) {
    private static final long EVERY_MILLIS = 50;

    public WatchedJvm {
        output = List.copyOf(output);
        residentBytes = List.copyOf(residentBytes);
    }

    /**
     * Runs it to its end.
     *
     * @param folder takes its output and its errors
     */
    public static WatchedJvm run(Path folder, List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        var output = folder.resolve("output");
        var errors = folder.resolve("errors");
        var process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            var samples = sample(process);
            return new WatchedJvm(process.exitValue(), Files.readAllLines(output), Files.readString(errors), samples);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<Long> sample(Process process) throws InterruptedException {
        var samples = new ArrayList<Long>();
        var status = Path.of("/proc", Long.toString(process.pid()), "status");
        while (!process.waitFor(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
            addResident(status, samples);
        }
        return samples;
    }

    private static void addResident(Path status, List<Long> samples) {
        try {
            for (var line : Files.readAllLines(status)) {
                if (line.startsWith("VmRSS:")) {
                    samples.add(Long.parseLong(line.replaceAll("\\D", "")) << 10);
                }
            }
        } catch (IOException ended) {
            // Between two looks.
        }
    }

    public long peakResidentBytes() {
        return residentBytes.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Writes the samples as CSV with their times. */
    public void keepSeries(Path file) throws IOException {
        var text = new StringBuilder("millis,resident_bytes\n");
        for (var i = 0; i < residentBytes.size(); i++) {
            text.append((i + 1) * EVERY_MILLIS)
                    .append(',')
                    .append(residentBytes.get(i))
                    .append('\n');
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
    }
}
