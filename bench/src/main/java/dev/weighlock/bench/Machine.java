package dev.weighlock.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a benchmark ran on, for its table and its JSON.
 *
 * @param load runnable threads of the whole machine, averaged over a minute; negative where nobody knows
 */
public record Machine(String processor, int processors, String system, String java, double load) {
    /** This machine at this moment. */
    public static Machine now() {
        return new Machine(
                processorName(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                System.getProperty("java.vendor.version", "") + " " + Runtime.version(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String processorName() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException notLinux) {
            return "unknown";
        }
    }

    /** One line for people. */
    public String text() {
        return String.format(
                Locale.ROOT, "%s, %d processors, %s, Java %s, load %.1f", processor, processors, system, java, load);
    }

    /** A JSON object. */
    public String json() {
        return String.format(
                Locale.ROOT,
                "{\"processor\":\"%s\",\"processors\":%d,\"system\":\"%s\",\"java\":\"%s\",\"load\":%.2f}",
                processor,
                processors,
                system,
                java.strip(),
                load);
    }
}
