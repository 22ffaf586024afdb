package dev.weighlock.jobs.output;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process in the name of a file, so that others can tell whether its writer still lives: number, start, and machine,
 * since numbers come again and folders are shared.
 */
record ProcessMark(long pid, long startedMillis, String host) {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessMark.class);
    private static final Pattern TEXT = Pattern.compile("pid-(\\d{1,18})-(\\d{1,18})-([0-9a-f]{1,8})");

    static ProcessMark ofThisProcess() {
        ProcessHandle own = ProcessHandle.current();
        return new ProcessMark(own.pid(), started(own), thisMachine());
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String thisMachine() {
        try {
            return Integer.toHexString(InetAddress.getLocalHost().getHostName().hashCode());
        } catch (UnknownHostException e) {
            return "0";
        }
    }

    String text() {
        return "pid-" + pid + "-" + startedMillis + "-" + host;
    }

    /** Removes files named by this prefix and a process of this machine that is provably gone. */
    void removeDead(Path folder, String prefix) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                folder, entry -> String.valueOf(entry.getFileName()).startsWith(prefix))) {
            for (Path file : files) {
                Matcher other = TEXT.matcher(String.valueOf(file.getFileName()).substring(prefix.length()));
                if (other.matches() && other.group(3).equals(host) && isGone(other)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException left) {
            LOG.warn("what others left in {} could not be removed", folder, left);
        }
    }

    private static boolean isGone(Matcher other) {
        long started = Long.parseLong(other.group(2));
        return ProcessHandle.of(Long.parseLong(other.group(1)))
                .filter(process -> started == 0 || started(process) == 0 || started(process) == started)
                .isEmpty();
    }
}
