package dev.weighlock.app.wiring;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A file that appears whole or not at all: written beside its place, forced to disk, renamed. Closing removes what was not published. */
public final class WholeFile implements AutoCloseable {
    private final Path target;
    private final Path temporary;

    private WholeFile(Path target, Path temporary) {
        this.target = target;
        this.temporary = temporary;
    }

    public static WholeFile at(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        String name =
                "." + absolute.getFileName() + "." + ProcessHandle.current().pid() + ".part";
        return new WholeFile(absolute, absolute.resolveSibling(name));
    }

    public Path temporary() {
        return temporary;
    }

    /** Makes the temporary file the target, durably. */
    public void publish() throws IOException {
        try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            file.force(true);
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = Optional.ofNullable(target.getParent()).orElseThrow();
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(temporary);
    }
}
