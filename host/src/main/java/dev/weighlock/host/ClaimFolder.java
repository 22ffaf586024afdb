package dev.weighlock.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * What the live processes of one user hold of something that they share: a folder with one locked file per claim. A claim
 * whose lock is free belongs to a dead process; it counts for nothing from that moment and its file is removed by whoever
 * looks next.
 *
 * <p>Thread-safe. Looking and claiming happen under one more lock file, so that no two processes decide at once; it is
 * waited for ten seconds at most.
 */
public final class ClaimFolder {
    private static final String PREFIX = "claim-";
    private static final String GUARD = "claiming.lock";
    private static final Duration GUARD_WAIT = Duration.ofSeconds(10);
    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path folder;

    private ClaimFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * One live claim.
     *
     * @param command what its process does, for people
     */
    public record Holder(long pid, String command, Instant since, long bytes) {
        private static final int LONGEST_COMMAND = 200;

        /** Keeps the command to one short line. */
        public Holder {
            command = command.replaceAll("\\s+", " ").strip();
            command = command.length() > LONGEST_COMMAND ? command.substring(0, LONGEST_COMMAND) : command;
        }

        private String text() {
            return String.join("\n", Long.toString(pid), since.toString(), Long.toString(bytes), command);
        }

        private static Optional<Holder> parse(String text) {
            var lines = text.split("\n", 4);
            try {
                return Optional.of(new Holder(
                        Long.parseLong(lines[0]), lines[3], Instant.parse(lines[1]), Long.parseLong(lines[2])));
            } catch (RuntimeException unreadable) {
                return Optional.empty();
            }
        }
    }

    /** A claim of this process. Its holder closes it; a killed process needs nobody to. Thread-safe. */
    public static final class Claim implements AutoCloseable {
        private final LockFile file;
        private final Holder holder;

        private Claim(LockFile file, Holder holder) {
            this.file = file;
            this.holder = holder;
        }

        public Holder holder() {
            return holder;
        }

        /** Gives the bytes back. Idempotent. */
        @Override
        public void close() {
            file.close();
        }
    }

    /** The claims in this folder, which is made with the first one. */
    public static ClaimFolder at(Path folder) {
        return new ClaimFolder(folder.toAbsolutePath());
    }

    public Path folder() {
        return folder;
    }

    /** Everybody who holds something now, oldest first. */
    public List<Holder> holders() {
        try (var _ = guard()) {
            return live();
        }
    }

    /**
     * Claims what {@code decision} says in view of those who hold something. Nobody else claims meanwhile, so it must be
     * quick; what it throws ends the call without a claim.
     *
     * @param decision from the present holders, oldest first, to a positive number of bytes
     */
    public Claim claim(String command, ToLongFunction<List<Holder>> decision) {
        try (var _ = guard()) {
            var bytes = decision.applyAsLong(live());
            if (bytes <= 0) {
                throw new IllegalArgumentException("a claim of " + bytes + " bytes");
            }
            var holder = new Holder(ProcessHandle.current().pid(), command, Instant.now(), bytes);
            var file = folder.resolve(PREFIX + holder.pid() + "-" + Long.toHexString(RANDOM.nextLong()));
            var held = LockFile.tryHold(file, holder.text())
                    .orElseThrow(() -> new IllegalStateException("somebody else holds the new claim " + file));
            keepFromCleaners(held.path());
            return new Claim(held, holder);
        }
    }

    private List<Holder> live() {
        var live = new ArrayList<Holder>();
        try (var files = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (var file : files) {
                if (LockFile.probe(file) == LockFile.Liveness.FREE) {
                    Files.deleteIfExists(file);
                } else {
                    holder(file).ifPresent(live::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the claims in " + folder, e);
        }
        live.sort(Comparator.comparing(Holder::since));
        return live;
    }

    /** Empty when the claim was given back meanwhile. One that cannot be read could hold everything: that is an error. */
    private static Optional<Holder> holder(Path file) {
        var holder = LockFile.read(file).flatMap(Holder::parse);
        if (holder.isEmpty() && LockFile.probe(file) == LockFile.Liveness.HELD) {
            throw new IllegalStateException("a live process holds the claim " + file + ", which cannot be read");
        }
        return holder;
    }

    private LockFile guard() {
        var file = folder.resolve(GUARD);
        var deadline = System.nanoTime() + GUARD_WAIT.toNanos();
        for (var pause = FIRST_PAUSE_NANOS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS)) {
            var held =
                    LockFile.tryHold(file, Long.toString(ProcessHandle.current().pid()));
            if (held.isPresent()) {
                return held.get();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the claims in " + folder + " have been locked by process "
                        + LockFile.read(file).orElse("(unknown)") + " for " + GUARD_WAIT.toSeconds() + " s");
            }
            LockSupport.parkNanos(pause);
        }
    }

    /** systemd-tmpfiles deletes old files in temporary folders, unless they carry the sticky bit. */
    private static void keepFromCleaners(Path file) {
        try {
            Files.setAttribute(file, "unix:mode", 01600);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // Elsewhere nobody cleans up after ten days.
        }
    }
}
