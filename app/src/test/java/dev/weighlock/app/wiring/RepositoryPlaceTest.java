package dev.weighlock.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void place_onAServer_keepsItsStateBesideTheSettings() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), "repository: {url: \"postgresql://db.example/jobs\"}\n");

        RepositoryPlace place = Workspace.of(deep, Map.of(), null).repository();

        assertThat(place.name()).isEqualTo("postgresql://db.example/jobs");
        assertThat(place.stateFolder()).isEqualTo(folder.resolve(".weighlock"));
        assertThat(Workspace.of(deep, Map.of("WEIGHLOCK_REPOSITORY", "postgresql://other/jobs"), null)
                        .repository()
                        .name())
                .isEqualTo("postgresql://other/jobs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://joe:hunter2@db.example/jobs",
                "postgresql://db.example/jobs?password=hunter2",
                "postgresql://db.example",
                "postgresql:///jobs",
                "postgresql://db.example/hunter2 jobs",
            })
    void place_urlThatIsNoPlainAddress_isRefusedUnrepeated(String url) {
        assertThatThrownBy(() -> Workspace.of(deep, Map.of(), url))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ExitCode.USAGE))
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void credentials_areThoseOfTheSettingsElseOfTheEnvironment() throws Exception {
        Map<String, String> environment = Map.of("PGUSER", "joe", "PGPASSWORD", "secret", "WL_USER", "etl");
        Files.writeString(
                folder.resolve("weighlock.yaml"),
                "repository: {url: \"postgresql://db.example/jobs\", user: env:WL_USER, pool: 7}\n");
        Workspace workspace = Workspace.of(deep, environment, null);

        PostgresSettings settings = Repositories.settings((RepositoryPlace.Database) workspace.repository(), workspace);

        assertThat(settings.server().user().get()).contains("etl");
        assertThat(settings.server().password().get()).contains("secret");
        assertThat(settings.poolSize()).isEqualTo(7);
        assertThat(settings.server().source("").getSslmode()).isEqualTo("verify-full");
        assertThat(settings.toString()).doesNotContain("secret").doesNotContain("etl");
    }

    private Path place(Map<String, String> environment, @Nullable String option) {
        RepositoryPlace place = Workspace.of(deep, environment, option).repository();
        assertThat(place).isInstanceOf(RepositoryPlace.File.class);
        return Path.of(place.name());
    }
}
