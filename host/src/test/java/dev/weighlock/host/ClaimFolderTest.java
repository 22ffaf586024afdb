package dev.weighlock.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ClaimFolderTest {
    private static final long TOTAL = 1_024;

    @TempDir
    private Path folder;

    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (var child : children) {
            kill(child);
        }
    }

    @Test
    void claims_ofThreeProcesses_nameEachOther_andThatOfAKilledOneIsGoneAtOnce() throws Exception {
        var claims = ClaimFolder.at(folder.resolve("claims"));
        try (var own = claims.claim("test", holders -> TOTAL / 2)) {
            var first = child("one");
            assertThat(answer(first)).isEqualTo(256);
            var second = child("two");
            assertThat(answer(second)).isEqualTo(128);

            assertThat(claims.holders())
                    .extracting(ClaimFolder.Holder::pid, ClaimFolder.Holder::command, ClaimFolder.Holder::bytes)
                    .containsExactly(
                            tuple(own.holder().pid(), "test", 512L),
                            tuple(first.pid(), "child one", 256L),
                            tuple(second.pid(), "child two", 128L));
            kill(first);

            assertThat(claims.holders()).extracting(ClaimFolder.Holder::command).containsExactly("test", "child two");
            assertThat(answer(child("three"))).isEqualTo((TOTAL - 512 - 128) / 2);
            second.getOutputStream().close();
            assertThat(second.waitFor(300, TimeUnit.SECONDS)).isTrue();
            assertThat(claims.holders()).extracting(ClaimFolder.Holder::command).containsExactly("test", "child three");
        }
    }

    @Test
    void claims_ofManyProcessesAtOnce_areDecidedOneAfterTheOther() throws Exception {
        var started = new ArrayList<Process>();
        for (var child = 0; child < 4; child++) {
            started.add(child("child " + child));
        }
        var bytes = new ArrayList<Long>();
        for (var child : started) {
            bytes.add(answer(child));
        }

        assertThat(bytes).containsExactlyInAnyOrder(512L, 256L, 128L, 64L);
    }

    @Test
    void claims_ofManyThreads_areDecidedOneAfterTheOther() throws Exception {
        var claims = ClaimFolder.at(folder);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<ClaimFolder.Claim>>();
            for (var thread = 0; thread < 8; thread++) {
                futures.add(threads.submit(() -> claims.claim("thread", holders -> 1L << holders.size())));
            }
            var bytes = new ArrayList<Long>();
            for (var future : futures) {
                bytes.add(future.get(300, TimeUnit.SECONDS).holder().bytes());
            }
            assertThat(bytes).containsExactlyInAnyOrder(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L);
            for (var future : futures) {
                future.get(300, TimeUnit.SECONDS).close();
            }
        }
        assertThat(claims.holders()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void decisionThatThrows_leavesNoClaimAndTheFolderFree() {
        var claims = ClaimFolder.at(folder);

        assertThatIllegalStateException()
                .isThrownBy(() -> claims.claim("test", holders -> {
                    throw new IllegalStateException("no");
                }));
        assertThatIllegalArgumentException().isThrownBy(() -> claims.claim("test", holders -> 0));

        assertThat(claims.holders()).isEmpty();
        claims.claim("test", holders -> 7).close();
    }

    @Test
    void liveClaimThatCannotBeRead_isAnError_andADeadOneIsRemoved() throws Exception {
        var claims = ClaimFolder.at(folder);
        Files.writeString(folder.resolve("claim-1-dead"), "neither");
        assertThat(claims.holders()).isEmpty();
        assertThat(folder.resolve("claim-1-dead")).doesNotExist();

        try (var _ = LockFile.tryHold(folder.resolve("claim-2-strange"), "of another version")
                .orElseThrow()) {
            assertThatIllegalStateException().isThrownBy(claims::holders).withMessageContaining("claim-2-strange");
        }
    }

    @Test
    void holder_keepsItsCommandShortAndOnOneLine() {
        var claims = ClaimFolder.at(folder);
        try (var claim = claims.claim("wl query\n" + "x".repeat(500), holders -> 1)) {
            assertThat(claims.holders()).containsExactly(claim.holder());
            assertThat(claim.holder().command()).startsWith("wl query xxx").hasSize(200);
        }
    }

    private Process child(String name) throws Exception {
        var child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClaimFolderChild.class.getName(),
                        folder.resolve("claims").toString(),
                        Long.toString(TOTAL),
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        children.add(child);
        return child;
    }

    private static long answer(Process child) throws Exception {
        var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        return Long.parseLong(out.readLine());
    }

    private static void kill(Process child) throws Exception {
        child.destroyForcibly();
        assertThat(child.waitFor(300, TimeUnit.SECONDS)).isTrue();
    }
}
