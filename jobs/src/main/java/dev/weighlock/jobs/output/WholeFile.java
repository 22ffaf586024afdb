package dev.weighlock.jobs.output;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.testing.CrashPoint;
import dev.weighlock.jobs.StepFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that appears whole or not at all: written beside its destination under a name that carries the owner's epoch,
 * forced to disk, renamed. A crash in between leaves the destination as it was; the next attempt removes the rest. For
 * one thread; whoever prepared it closes it.
 */
public final class WholeFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WholeFile.class);
    private static final String MARK = ".weighlock-";
    private static final Pattern END = Pattern.compile("[0-9a-f]{16}-(\\d{1,18})");
    private static final int MAX_NAME_BYTES = 180;

    private final Path destination;
    private final Path temporary;
    private boolean published;

    private WholeFile(Path destination, Path temporary) {
        this.destination = destination;
        this.temporary = temporary;
    }

    /**
     * What was published.
     *
     * @param sha256 of its bytes, 64 hexadecimal digits
     */
    public record Published(Path path, long bytes, String sha256) {}

    /**
     * Makes the folder and the temporary name.
     *
     * @param destination absolute
     * @param writable the folders that outputs may lie in; links that lead out of them are refused
     * @param owner tells this job instance, step and partition from others that write the same path
     * @throws StepFailure where nothing can be written there
     */
    public static WholeFile prepare(Path destination, List<Path> writable, String owner, long epoch) {
        Path folder = Optional.ofNullable(destination.getParent()).orElse(destination);
        if (writable.stream().noneMatch(destination.normalize()::startsWith)) {
            throw new StepFailure(
                    FailureCategory.STEP_FAILED,
                    "the output %s lies outside the folders that may be written; add its folder to directories: {write: [..]}"
                            .formatted(destination));
        }
        try {
            Files.createDirectories(folder);
            requireInside(folder, writable, destination);
            if (Files.isDirectory(destination)) {
                throw unwritable(destination, "it is a folder", null);
            }
            if (!Files.isWritable(folder)) {
                throw unwritable(destination, "its folder is read-only; change that or name another folder", null);
            }
            String prefix = prefix(destination, owner);
            removeOlder(folder, prefix, epoch);
            return new WholeFile(destination, folder.resolve(prefix + epoch));
        } catch (FileAlreadyExistsException file) {
            throw unwritable(
                    destination, file.getFile() + " is a file where a folder is needed; name another folder", file);
        } catch (IOException failure) {
            throw unwritable(destination, todo(failure), failure);
        }
    }

    /**
     * The same for a process that is no execution; removes what processes of this machine left that are gone.
     *
     * @throws StepFailure where nothing can be written there
     */
    public static WholeFile prepareForProcess(Path destination, List<Path> writable) {
        ProcessMark mark = ProcessMark.ofThisProcess();
        WholeFile named = prepare(destination, writable, mark.text(), 1);
        String prefix = "." + shortName(destination) + MARK;
        mark.removeDead(named.temporary.resolveSibling(""), prefix);
        return new WholeFile(destination, named.temporary.resolveSibling(prefix + mark.text()));
    }

    /** Tells a job instance, step and partition from others that write the same path. */
    public static String owner(UUID repositoryId, long instanceId, String step, String partition) {
        return "%s/%d/%s/%s".formatted(repositoryId, instanceId, step, partition);
    }

    private static void requireInside(Path folder, List<Path> writable, Path destination) throws IOException {
        Path real = folder.toRealPath();
        for (Path allowed : writable) {
            if (Files.isDirectory(allowed) && real.startsWith(allowed.toRealPath())) {
                return;
            }
        }
        throw unwritable(destination, "a link leads out of the folders that may be written", null);
    }

    private static String prefix(Path destination, String owner) {
        // The digest keeps two long names, and two owners of one name, apart.
        String name = String.valueOf(destination.getFileName());
        String digest = hex(sha256(), (name + "\n" + owner).getBytes(StandardCharsets.UTF_8))
                .substring(0, 16);
        return "." + shortName(destination) + MARK + digest + "-";
    }

    private static String shortName(Path destination) {
        String name = String.valueOf(destination.getFileName());
        return name.length() <= MAX_NAME_BYTES / 3 ? name : name.substring(0, MAX_NAME_BYTES / 3);
    }

    /** Whether a hidden file is the unfinished output of one of the owners, written under that epoch or an older one. */
    static boolean isLeftBy(Path file, Collection<String> owners, long epoch) {
        String name = String.valueOf(file.getFileName());
        int mark = name.lastIndexOf(MARK);
        Matcher end = END.matcher(mark < 1 ? "" : name.substring(mark + MARK.length()));
        if (!name.startsWith(".") || !end.matches() || Long.parseLong(end.group(1)) > epoch) {
            return false;
        }
        Path destination = file.resolveSibling(name.substring(1, mark));
        return owners.stream().anyMatch(owner -> name.startsWith(prefix(destination, owner)));
    }

    /** An older epoch's owner is fenced or dead: what it left is of no use. */
    private static void removeOlder(Path folder, String prefix, long epoch) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(
                folder, entry -> String.valueOf(entry.getFileName()).startsWith(prefix))) {
            for (Path file : left) {
                String end = String.valueOf(file.getFileName()).substring(prefix.length());
                if (end.matches("\\d{1,18}") && Long.parseLong(end) <= epoch) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Where to write. */
    public Path temporary() {
        return temporary;
    }

    /**
     * Forces the written file to disk and puts it in place.
     *
     * @throws StepFailure where that fails; the destination is then as it was
     */
    public Published publish() {
        try {
            String digest = digest(temporary);
            long bytes = Files.size(temporary);
            force(temporary, StandardOpenOption.WRITE);
            CrashPoint.reach("output.before-rename");
            Files.move(temporary, destination, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            published = true;
            CrashPoint.reach("output.after-rename");
            force(temporary.resolveSibling("."), StandardOpenOption.READ);
            return new Published(destination, bytes, digest);
        } catch (IOException failure) {
            throw unwritable(destination, todo(failure), failure);
        }
    }

    private static void force(Path path, StandardOpenOption option) throws IOException {
        try (FileChannel channel = FileChannel.open(path, option)) {
            channel.force(true);
        }
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String hex(MessageDigest digest, byte[] bytes) {
        return HexFormat.of().formatHex(digest.digest(bytes));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private static String todo(IOException failure) {
        String reason = failure instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(failure.getMessage());
        return "check the rights and the space of its folder (" + reason + ")";
    }

    private static StepFailure unwritable(Path destination, String todo, @Nullable Throwable cause) {
        return new StepFailure(
                FailureCategory.DEPENDENCY_FAILED,
                "the output %s cannot be written; %s".formatted(destination, todo),
                cause);
    }

    /** Removes what was written and not published. */
    @Override
    public void close() {
        if (published) {
            return;
        }
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException left) {
            // The next attempt removes it; the outcome of the step must not change for it.
            LOG.warn("{} could not be removed", temporary, left);
        }
    }
}
