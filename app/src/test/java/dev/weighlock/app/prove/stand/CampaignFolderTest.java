package dev.weighlock.app.prove.stand;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed campaign left goes with the next one; nobody else's goes. */
class CampaignFolderTest {
    @TempDir
    Path temporary;

    private Path folder(String name, boolean withLock) throws Exception {
        Path folder = temporary.resolve(name);
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data/rows"), "some");
        if (withLock) {
            Files.writeString(folder.resolve("owner.lock"), "1");
        }
        return folder;
    }

    @Test
    void leftovers_ofDeadProcesses_areRemoved() throws Exception {
        Path dead = folder("weighlock-prove1", true);
        Path young = folder("weighlock-prove2", false);
        Path others = folder("weighlock-proof", true);

        try (CampaignFolder running = CampaignFolder.in(temporary)) {
            assertThat(dead).doesNotExist();
            assertThat(young).exists();
            assertThat(others).exists();
            try (CampaignFolder second = CampaignFolder.in(temporary)) {
                assertThat(running.path()).exists();
                assertThat(second.path()).exists().isNotEqualTo(running.path());
            }
            Files.writeString(running.path().resolve("rows"), "some");
        }

        try (var left = Files.list(temporary)) {
            assertThat(left).containsExactlyInAnyOrder(young, others);
        }
    }
}
