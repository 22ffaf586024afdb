package dev.weighlock.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Folders of this user alone below one that everybody may write to, such as {@code /tmp}. */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private PrivateFolder() {}

    /**
     * The folder {@code weighlock-USER} in {@code shared}, made when it is not there.
     *
     * @throws IOException also where somebody else made it or may write to it
     */
    public static Path ofUser(Path shared) throws IOException {
        var user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
        return open(shared.toAbsolutePath().resolve("weighlock-" + user));
    }

    static Path open(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Files.createDirectories(folder);
        }
        try {
            return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            requireOwn(folder);
            return folder;
        }
    }

    private static void requireOwn(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the private folder " + folder + " is no folder; remove it");
        }
        var permissions = Files.getPosixFilePermissions(folder);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("others may write to the private folder " + folder + "; remove it or its rights");
        }
        if (!isOwn(folder)) {
            throw new IOException("the private folder " + folder + " belongs to another user");
        }
    }

    /** Compared with the owner of a new file: a user's name and number are not always known. */
    private static boolean isOwn(Path folder) throws IOException {
        var probe = Files.createTempFile(folder, "owner", null);
        try {
            return Files.getOwner(probe).equals(Files.getOwner(folder));
        } finally {
            Files.delete(probe);
        }
    }
}
