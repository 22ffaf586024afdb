package dev.weighlock.jobs.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.jobs.StepFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    Path folder;

    private WholeFile prepare(String name, long epoch) {
        return WholeFile.prepare(folder.resolve(name), List.of(folder), "owner", epoch);
    }

    private long count() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    @Test
    void publish_writtenFile_appearsWithItsDigest() throws Exception {
        try (WholeFile file = prepare("a.txt", 1)) {
            Files.writeString(file.temporary(), "abc");
            assertThat(folder.resolve("a.txt")).doesNotExist();

            WholeFile.Published published = file.publish();

            assertThat(published.sha256())
                    .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        }
        assertThat(folder.resolve("a.txt")).hasContent("abc");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void close_unpublished_leavesTheOldFileAlone() throws Exception {
        Files.writeString(folder.resolve("a.txt"), "old");
        try (WholeFile file = prepare("a.txt", 1)) {
            Files.writeString(file.temporary(), "new");
        }
        assertThat(folder.resolve("a.txt")).hasContent("old");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void prepare_afterACrash_removesWhatAnOlderEpochLeft() throws Exception {
        WholeFile crashed = prepare("a.txt", 1);
        Files.writeString(crashed.temporary(), "half");
        WholeFile other = WholeFile.prepare(folder.resolve("a.txt"), List.of(folder), "another owner", 1);
        Files.writeString(other.temporary(), "not ours");

        WholeFile next = prepare("a.txt", 2);

        assertThat(crashed.temporary()).doesNotExist();
        assertThat(other.temporary()).exists();
        assertThat(next.temporary()).isNotEqualTo(crashed.temporary());
        next.close();
        other.close();
    }

    @Test
    void prepare_outsideOrThroughALink_isRefused() throws Exception {
        Path outside = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-outside"));
        Files.createSymbolicLink(folder.resolve("link"), outside);

        assertThatThrownBy(() -> prepare("../a.txt", 1))
                .isInstanceOf(StepFailure.class)
                .hasMessageContaining("outside the folders");
        assertThatThrownBy(() -> prepare("link/a.txt", 1)).hasMessageContaining("a link leads out");
    }

    @Test
    void prepare_whereAFolderStands_isRefused() throws Exception {
        Files.createDirectories(folder.resolve("a.txt"));

        assertThatThrownBy(() -> prepare("a.txt", 1)).hasMessageContaining("cannot be written; it is a folder");
    }

    @Test
    void prepare_veryLongName_fits() throws Exception {
        try (WholeFile file = prepare("x".repeat(250), 1)) {
            Files.writeString(file.temporary(), "abc");
            file.publish();
        }
        assertThat(folder.resolve("x".repeat(250))).exists();
    }

    /** A child of this test has its number for as long as it lives; a number above all is nobody's. */
    @Test
    void prepareForProcess_removesWhatDeadProcessesLeftAndNothingElse() throws Exception {
        String name;
        try (WholeFile file = WholeFile.prepareForProcess(folder.resolve("a.txt"), List.of(folder))) {
            name = file.temporary().getFileName().toString();
        }
        long own = ProcessHandle.current().pid();
        Path dead = folder.resolve(name.replace("pid-" + own, "pid-999999999999"));
        Path elsewhere = folder.resolve(dead.getFileName() + "0");
        Path live = folder.resolve(name);
        for (Path file : List.of(dead, elsewhere, live)) {
            Files.writeString(file, "half");
        }

        try (WholeFile again = WholeFile.prepareForProcess(folder.resolve("a.txt"), List.of(folder))) {
            assertThat(dead).doesNotExist();
            assertThat(live).exists();
            assertThat(elsewhere).as("of another machine").exists();
            Files.writeString(again.temporary(), "whole");
            again.publish();
        }
        assertThat(folder.resolve("a.txt")).hasContent("whole");
    }

    @Test
    void leftovers_ofFencedOwners_areRemovedBelowTheFolder() throws Exception {
        Path below = Files.createDirectories(folder.resolve("out/deep"));
        Path lost = WholeFile.prepare(below.resolve("a.txt"), List.of(folder), "lost", 3)
                .temporary();
        Path newer = WholeFile.prepare(below.resolve("b.txt"), List.of(folder), "lost", 4)
                .temporary();
        Path live = WholeFile.prepare(below.resolve("a.txt"), List.of(folder), "live", 3)
                .temporary();
        for (Path file : List.of(lost, newer, live)) {
            Files.writeString(file, "half");
        }

        assertThat(OutputLeftovers.remove(List.of(folder), List.of("lost"), 3)).containsExactly(lost);

        assertThat(newer).exists();
        assertThat(live).exists();
    }
}
