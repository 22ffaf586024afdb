package dev.weighlock.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.launcher.Checkout.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    @TempDir
    Path folder;

    Checkout checkout;

    @BeforeEach
    void layOut() throws Exception {
        checkout = new Checkout(folder);
    }

    @Test
    void jdk_none_isOneSentenceAndCode2() throws Exception {
        Outcome outcome = checkout.withMaven().run(Map.of(), "jobs");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err().lines()).singleElement().asString().contains("no JDK 25", "JAVA_HOME");
    }

    @Test
    void jdk_oldOneFirstOnPath_isPassedOver() throws Exception {
        checkout.withMaven().onPath(checkout.jdk("old", "17.0.2").resolve("bin/java"));
        checkout.jdk("right", "25.0.1");

        Outcome outcome = checkout.run(
                Map.of("WEIGHLOCK_JDK_PLACES", checkout.home + "/old:" + checkout.home + "/right"), "jobs");

        assertThat(outcome.out()).startsWith("right\n");
    }

    @Test
    void jdk_oldJavaHome_isPassedOver() throws Exception {
        checkout.withMaven();
        Path old = checkout.jdk("old", "1.8.0_392");
        Path right = checkout.jdk("right", "25");

        Outcome outcome =
                checkout.run(Map.of("JAVA_HOME", old.toString(), "WEIGHLOCK_JDK_PLACES", right.toString()), "--jdk");

        assertThat(outcome.out()).isEqualTo(right + "\n");
    }

    @Test
    void jdk_newerAnd25_takes25() throws Exception {
        Path newer = checkout.jdk("newer", "27");
        Path right = checkout.jdk("right", "25.0.2");

        Outcome both = checkout.run(Map.of("WEIGHLOCK_JDK_PLACES", newer + ":" + right), "--jdk");
        Outcome onlyNewer = checkout.run(Map.of("WEIGHLOCK_JDK_PLACES", newer.toString()), "--jdk");

        assertThat(both.out()).isEqualTo(right + "\n");
        assertThat(onlyNewer.out()).isEqualTo(newer + "\n");
    }

    @Test
    void jdk_onPathThroughLinks_isFoundByItsFolder() throws Exception {
        Path right = checkout.jdk("right", "25");
        checkout.onPath(right.resolve("bin/java"));

        assertThat(checkout.run(Map.of(), "--jdk").out()).isEqualTo(right.toRealPath() + "\n");
    }

    @Test
    void maven_none_isOneSentenceAndCode2() throws Exception {
        Outcome outcome = checkout.run(withJdk(), "jobs");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err().lines()).singleElement().asString().contains("Maven was not found");
    }

    @Test
    void build_sourcesUnchanged_isNotRepeated() throws Exception {
        checkout.withMaven();
        checkout.run(withJdk(), "jobs");
        Path source = checkout.root.resolve("app/src/main/java/A.java");

        Outcome second = checkout.run(withJdk(), "jobs");
        Files.writeString(source, Files.readString(source)); // touched, same content
        checkout.run(withJdk(), "jobs");

        assertThat(checkout.builds()).isEqualTo(1);
        assertThat(second.err()).isEmpty();
    }

    @Test
    void build_sourceChangedOrRemoved_isRepeated() throws Exception {
        checkout.withMaven();
        checkout.run(withJdk(), "jobs");

        Checkout.write(checkout.root.resolve("app/src/main/java/B.java"), "class B {}");
        checkout.run(withJdk(), "jobs");
        Files.delete(checkout.root.resolve("app/src/main/java/B.java"));
        checkout.run(withJdk(), "jobs");

        assertThat(checkout.builds()).isEqualTo(3);
    }

    @Test
    void build_failed_namesTheLogAndShowsTheError() throws Exception {
        Outcome outcome = checkout.withFailingMaven().run(withJdk(), "jobs");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("does not compile", "app/target/build.log");
        assertThat(checkout.root.resolve("app/target/build.lock")).doesNotExist();
    }

    @Test
    void build_severalAtOnce_buildsOnce() throws Exception {
        checkout.withMaven();
        Map<String, String> environment = withJdk();

        List<CompletableFuture<Outcome>> runs = IntStream.range(0, 4)
                .mapToObj(number -> CompletableFuture.supplyAsync(() -> runQuietly(environment)))
                .toList();
        for (CompletableFuture<Outcome> run : runs) {
            assertThat(run.get().code()).isZero();
        }

        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void build_lockOfADeadProcess_isTakenOver() throws Exception {
        checkout.withMaven();
        Process dead = new ProcessBuilder("/bin/sh", "-c", "exit 0").start();
        dead.waitFor();
        Path target = Files.createDirectories(checkout.root.resolve("app/target"));
        Files.createSymbolicLink(target.resolve("build.lock"), Path.of(String.valueOf(dead.pid())));

        assertThat(checkout.run(withJdk(), "jobs").code()).isZero();
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void launch_throughALinkFromAnotherFolder_passesArgumentsUnchanged() throws Exception {
        checkout.withMaven();
        Path link = Files.createSymbolicLink(checkout.home.resolve("wl link"), checkout.root.resolve("wl"));

        Outcome outcome = checkout.run(link, withJdk(), "query", "SELECT 'a  b', \"c\"");

        assertThat(outcome.out())
                .contains("-jar\n" + checkout.root.toRealPath()
                        + "/app/target/weighlock.jar\nquery\nSELECT 'a  b', \"c\"\n");
        assertThat(outcome.out()).contains("-Xmx");
    }

    /** An eighth of so small a limit is less than the least. */
    @Test
    void heap_inAControlGroup_isThatOfItsLimit() throws Exception {
        checkout.withMaven();
        try (ControlGroup group = ControlGroup.of(1L << 30, Files.createDirectory(folder.resolve("machine")))) {
            Path inGroup = checkout.home.resolve("in group");
            Checkout.script(inGroup, group.shell("exec '" + checkout.root.resolve("wl") + "' \"$@\""));

            Outcome outcome = checkout.run(inGroup, withJdk(), "jobs");

            assertThat(outcome.out()).containsPattern(group.isReal() ? "-Xmx256m\n" : "-Xmx\\d+m\n");
        }
    }

    private Map<String, String> withJdk() throws Exception {
        return Map.of("JAVA_HOME", checkout.jdk("right", "25").toString());
    }

    private Outcome runQuietly(Map<String, String> environment) {
        try {
            return checkout.run(environment, "jobs");
        } catch (Exception e) {
            throw new java.util.concurrent.CompletionException(new ExecutionException(e));
        }
    }
}
