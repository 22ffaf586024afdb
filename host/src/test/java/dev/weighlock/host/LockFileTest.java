package dev.weighlock.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
    @TempDir
    Path folder;

    @Test
    void hold_whileHeldInThisProcess_isRefusedAndProbedWithoutLosingTheLock() throws Exception {
        var file = folder.resolve("a.lock");
        try (var held = LockFile.tryHold(file, "me").orElseThrow()) {
            assertThat(LockFile.tryHold(file, "other")).isEmpty();
            assertThat(LockFile.probe(file)).isEqualTo(LockFile.Liveness.HELD);
            assertThat(LockFile.read(file)).contains("me");
            assertThat(probeFromAnotherProcess(held.path())).isEqualTo("HELD me");
        }
        assertThat(LockFile.probe(file)).isEqualTo(LockFile.Liveness.FREE);
        assertThat(file).doesNotExist();
    }

    @Test
    void hold_throughASymbolicLinkedFolder_isTheSameFile() throws Exception {
        var real = Files.createDirectory(folder.resolve("real"));
        var link = Files.createSymbolicLink(folder.resolve("link"), real);
        try (var held = LockFile.tryHold(real.resolve("a.lock"), "x").orElseThrow()) {
            assertThat(LockFile.tryHold(link.resolve("a.lock"), "y")).isEmpty();
            assertThat(held.path()).isEqualTo(real.toRealPath().resolve("a.lock"));
        }
    }

    @Test
    void probe_afterTheHolderIsKilled_isFreeAtOnceAndKeepsItsContent() throws Exception {
        var file = folder.resolve("b.lock");
        var child = child("hold", file);
        try {
            var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
            assertThat(out.readLine()).isEqualTo("held");
            assertThat(LockFile.probe(file)).isEqualTo(LockFile.Liveness.HELD);
            assertThat(LockFile.tryHold(file, "thief")).isEmpty();
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor(300, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(LockFile.probe(file)).isEqualTo(LockFile.Liveness.FREE);
        assertThat(LockFile.read(file)).contains("child");
        try (var successor = LockFile.tryHold(file, "successor").orElseThrow()) {
            assertThat(LockFile.read(successor.path())).contains("successor");
        }
    }

    @Test
    void close_twice_changesNothingOfTheNextHolder() {
        var file = folder.resolve("c.lock");
        var first = LockFile.tryHold(file, "first").orElseThrow();
        first.close();
        try (var second = LockFile.tryHold(file, "second").orElseThrow()) {
            first.close();
            assertThat(LockFile.probe(second.path())).isEqualTo(LockFile.Liveness.HELD);
        }
    }

    @Test
    void probe_ofAFileOrFolderThatDoesNotExist_isFree() {
        assertThat(LockFile.probe(folder.resolve("never.lock"))).isEqualTo(LockFile.Liveness.FREE);
        assertThat(LockFile.probe(folder.resolve("no/such/never.lock"))).isEqualTo(LockFile.Liveness.FREE);
        assertThat(LockFile.read(folder.resolve("never.lock"))).isEmpty();
    }

    @Test
    void hold_withTooMuchContent_isRefused() {
        assertThatThrownBy(() -> LockFile.tryHold(folder.resolve("d.lock"), "x".repeat(4097)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String probeFromAnotherProcess(Path file) throws Exception {
        var child = child("probe", file);
        try (var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            return out.readLine();
        } finally {
            child.destroyForcibly();
        }
    }

    private static Process child(String command, Path file) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockFileChild.class.getName(),
                        command,
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
