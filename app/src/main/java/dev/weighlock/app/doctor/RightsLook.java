package dev.weighlock.app.doctor;

import dev.weighlock.app.wiring.RepositoryPlace;
import dev.weighlock.app.wiring.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Who may read and write what wl keeps. */
final class RightsLook {
    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private RightsLook() {}

    static List<Finding> findings(Workspace here) throws IOException {
        List<Finding> findings = new ArrayList<>();
        RepositoryPlace place = here.repository();
        List<Path> paths = new ArrayList<>(List.of(place.stateFolder(), place.logFolder()));
        if (place instanceof RepositoryPlace.File file) {
            paths.add(file.file());
        }
        for (Path path : paths) {
            if (Files.exists(path)) {
                findings.add(finding(path));
            }
        }
        return findings;
    }

    private static Finding finding(Path path) throws IOException {
        if (!Files.isWritable(path) || !Files.isReadable(path)) {
            return Finding.problem(
                    "rights", path + " cannot be read and written by this user", "chown or chmod it, or name another");
        }
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Finding.ok("rights", path + " is this user's");
        }
        Set<PosixFilePermission> modes = Files.getPosixFilePermissions(path);
        String text = PosixFilePermissions.toString(modes);
        // A file inside of a private folder is private whatever its own mode says.
        boolean open = Files.isDirectory(path) && modes.stream().anyMatch(OTHERS::contains) && !inPrivateFolder(path);
        return open
                ? Finding.warning("rights", path + " is open to others (" + text + ")", "chmod go-rwx " + path)
                : Finding.ok("rights", path + " (" + text + ")");
    }

    private static boolean inPrivateFolder(Path path) throws IOException {
        Path parent = path.getParent();
        return parent != null && Files.getPosixFilePermissions(parent).stream().noneMatch(OTHERS::contains);
    }
}
