package dev.weighlock.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    private static final List<String> PLATFORMS = List.of("linux_amd64", "linux_arm64", "macos_arm64", "macos_amd64");

    @TempDir
    Path folder;

    @Test
    void duckdb_librariesLeaveTheJarAndThisMachinesIsBesideIt() throws Exception {
        Path jar = jarWithLibraries();

        NativeLibraries.main(new String[] {folder.toString()});
        NativeLibraries.main(new String[] {folder.toString()}); // a second build finds nothing to do

        try (JarFile slim = new JarFile(jar.toFile());
                Stream<Path> files = Files.list(folder)) {
            assertThat(slim.stream().map(JarEntry::getName)).containsExactly("org/duckdb/Driver.class");
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> !name.endsWith(".jar"))
                    .singleElement()
                    .satisfies(name ->
                            assertThat(Files.readString(folder.resolve(name))).isEqualTo(name));
        }
    }

    private Path jarWithLibraries() throws IOException {
        Path jar = folder.resolve("duckdb_jdbc-1.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            add(out, "org/duckdb/Driver.class");
            for (String platform : PLATFORMS) {
                add(out, "libduckdb_java.so_" + platform);
            }
        }
        return jar;
    }

    private static void add(JarOutputStream out, String name) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        out.closeEntry();
    }
}
