package dev.weighlock.app.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.sqlite.util.OSInfo;

/**
 * Takes the native libraries of this machine out of their jars, once after a build. A library inside its jar is copied to the temp
 * folder by every process: that doubles the start-up time, and a killed process leaves 70 MB behind.
 *
 * <p>DuckDB's driver looks beside its jar only when the jar holds no library, so the jar is written again without them. SQLite's
 * driver is told the folder by {@code org.sqlite.lib.path}.
 */
public final class NativeLibraries {
    private static final String DUCKDB_PREFIX = "libduckdb_java.so_";

    private NativeLibraries() {}

    /** Works on the folder of libraries named by the only argument; does nothing where everything is unpacked already. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        for (Path jar : jars(folder, "duckdb_jdbc-")) {
            unpackDuckDb(jar);
        }
        for (Path jar : jars(folder, "sqlite-jdbc-")) {
            unpackSqlite(jar);
        }
    }

    private static List<Path> jars(Path folder, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .toList();
        }
    }

    static void unpackDuckDb(Path jar) throws IOException {
        String library = DUCKDB_PREFIX + operatingSystem() + "_" + processor();
        try (JarFile source = new JarFile(jar.toFile())) {
            JarEntry entry = source.getJarEntry(library);
            if (entry == null) {
                return; // unpacked before, or no library for this machine: the driver will say so
            }
            copyEntry(source, entry, jar.resolveSibling(library));
            Path slim = jar.resolveSibling(jar.getFileName() + ".slim");
            writeWithoutLibraries(source, slim);
            Files.move(slim, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    static void unpackSqlite(Path jar) throws IOException {
        String folder = "org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/";
        String library = System.mapLibraryName("sqlitejdbc");
        Path unpacked = jar.resolveSibling(library);
        try (JarFile source = new JarFile(jar.toFile())) {
            JarEntry entry = source.getJarEntry(folder + library);
            if (entry != null && !sameSize(unpacked, entry)) {
                copyEntry(source, entry, unpacked);
            }
        }
    }

    private static boolean sameSize(Path file, JarEntry entry) throws IOException {
        return Files.exists(file) && Files.size(file) == entry.getSize();
    }

    private static void copyEntry(JarFile source, JarEntry entry, Path target) throws IOException {
        Path partial = target.resolveSibling(target.getFileName() + ".new");
        try (InputStream in = source.getInputStream(entry)) {
            Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void writeWithoutLibraries(JarFile source, Path target) throws IOException {
        try (OutputStream file = Files.newOutputStream(target);
                JarOutputStream out = new JarOutputStream(file)) {
            Enumeration<JarEntry> entries = source.entries();
            while (entries.hasMoreElements()) {
                JarEntry entry = entries.nextElement();
                if (!entry.getName().startsWith(DUCKDB_PREFIX)) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    source.getInputStream(entry).transferTo(out);
                    out.closeEntry();
                }
            }
        }
    }

    /** The names that DuckDB's driver uses for operating systems and processors. */
    private static String operatingSystem() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return "macos";
        }
        return name.startsWith("windows") ? "windows" : "linux";
    }

    private static String processor() {
        String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return name.equals("aarch64") || name.equals("arm64") ? "arm64" : "amd64";
    }
}
