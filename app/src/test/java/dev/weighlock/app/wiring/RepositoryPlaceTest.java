package dev.weighlock.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepositoryPlaceTest {
    @TempDir
    Path folder;

    Path deep;

    @BeforeEach
    void makeFolders() throws Exception {
        deep = Files.createDirectories(folder.resolve("a/b"));
    }

    @Test
    void place_nothingGiven_isTheNearestUpwards() throws Exception {
        Files.createDirectories(folder.resolve("a/.weighlock"));
        Files.createFile(folder.resolve("a/.weighlock/repository.db"));

        assertThat(place(Map.of(), null)).isEqualTo(folder.resolve("a/.weighlock/repository.db"));
    }

    @Test
    void place_noneUpwards_isBesideTheSettings() throws Exception {
        Files.writeString(folder.resolve("a/weighlock.yaml"), "logs: {keep: 1d}\n");

        assertThat(place(Map.of(), null)).isEqualTo(folder.resolve("a/.weighlock/repository.db"));
    }

    @Test
    void place_optionBeatsVariableBeatsSettings() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), "repository: {url: \"sqlite:s.db\"}\n");
        Map<String, String> variable = Map.of("WEIGHLOCK_REPOSITORY", "sqlite:v.db");

        assertThat(place(Map.of(), null)).isEqualTo(folder.resolve("s.db"));
        assertThat(place(variable, null)).isEqualTo(deep.resolve("v.db"));
        assertThat(place(variable, "sqlite:o.db")).isEqualTo(deep.resolve("o.db"));
    }

    @Test
    void folder_created_isPrivateToItsUser() throws Exception {
        RepositoryPlace place = Workspace.of(deep, Map.of(), null).repository();

        place.create();
        place.create();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place.stateFolder())))
                .isEqualTo("rwx------");
    }

    private Path place(Map<String, String> environment, @org.jspecify.annotations.Nullable String option) {
        return Workspace.of(deep, environment, option).repository().file();
    }
}
