package dev.weighlock.duckdb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Takes the native library out of the driver's jar, once, at install. The driver unpacks its library from the class path
 * into the temp folder at every start, half a second each time, and a killed process leaves those 71 MB behind. With the
 * jar that {@link #split} writes on the class path instead of the driver's, and {@code -Djava.library.path} naming its
 * folder, the library is loaded where it lies.
 */
public final class DuckDbLibrary {
    private static final String NATIVE_PREFIX = "libduckdb_java.so_";

    private DuckDbLibrary() {}

    /**
     * What {@link #split} wrote, both in one folder.
     *
     * @param jar the driver's classes, for the class path
     * @param library for {@code java.library.path}
     */
    public record Split(Path jar, Path library) {}

    /**
     * Writes the driver's classes and this platform's library into a folder, each whole or not at all.
     *
     * @param driverJar the driver as it was published
     */
    public static Split split(Path driverJar, Path folder) throws IOException {
        Files.createDirectories(folder);
        var jar = folder.resolve("duckdb-jdbc-classes.jar");
        var library = folder.resolve(System.mapLibraryName("duckdb_java"));
        var newJar = Files.createTempFile(folder, "duckdb", ".part");
        var newLibrary = Files.createTempFile(folder, "duckdb", ".part");
        try {
            copy(driverJar, newJar, newLibrary);
            if (Files.size(newLibrary) == 0) {
                throw new IOException(driverJar + " holds no library for " + nativeName());
            }
            Files.move(newLibrary, library, StandardCopyOption.ATOMIC_MOVE);
            Files.move(newJar, jar, StandardCopyOption.ATOMIC_MOVE);
            return new Split(jar, library);
        } finally {
            Files.deleteIfExists(newJar);
            Files.deleteIfExists(newLibrary);
        }
    }

    private static void copy(Path driverJar, Path newJar, Path newLibrary) throws IOException {
        try (var in = new ZipInputStream(Files.newInputStream(driverJar));
                var out = new ZipOutputStream(Files.newOutputStream(newJar))) {
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().equals(nativeName())) {
                    writeTo(newLibrary, in);
                } else if (!entry.getName().startsWith(NATIVE_PREFIX)) {
                    copyEntry(in, out, entry.getName());
                }
            }
        }
    }

    private static void writeTo(Path file, InputStream in) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            in.transferTo(out);
        }
    }

    private static void copyEntry(InputStream in, ZipOutputStream out, String name) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        in.transferTo(out);
        out.closeEntry();
    }

    /** The name that the driver gives this platform's library. */
    private static String nativeName() {
        var os = System.getProperty("os.name");
        var family = os.startsWith("Windows") ? "windows" : os.startsWith("Mac") ? "macos" : "linux";
        var arm = System.getProperty("os.arch").matches("aarch64|arm64");
        return NATIVE_PREFIX + family + "_" + (arm ? "arm64" : "amd64");
    }

    /** {@code DRIVER_JAR FOLDER}: splits, for an install script. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("DRIVER_JAR FOLDER");
        }
        var split = split(Path.of(args[0]), Path.of(args[1]));
        System.out.println(split.jar());
        System.out.println(split.library());
    }
}
