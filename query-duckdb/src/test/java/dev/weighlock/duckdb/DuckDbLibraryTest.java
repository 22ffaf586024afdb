package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DuckDbLibraryTest {
    @TempDir
    private Path folder;

    @Test
    void split_jarAndLibrary_runWithoutUnpackingAnything() throws Exception {
        var driver = Path.of(DuckDBDriver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var split = DuckDbLibrary.split(driver, folder.resolve("lib"));
        var temp = Files.createDirectory(folder.resolve("tmp"));
        var others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).equals(driver));
        var classPath = Stream.concat(Stream.of(split.jar().toString()), others)
                .collect(Collectors.joining(File.pathSeparator));
        var child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.library.path=" + split.library().getParent(),
                        "-Djava.io.tmpdir=" + temp,
                        "-cp",
                        classPath,
                        DuckDbLibraryChild.class.getName(),
                        temp.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("42, no library unpacked\n");
    }
}
