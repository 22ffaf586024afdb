package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageTest {
    @TempDir
    Path folder;

    @Test
    void help_listsWhatWorksAndTheExitCodes() throws Exception {
        Outcome outcome = WlProcess.run(folder, "--help");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("run", "check", "executions", "abandon", "recover", "purge", "doctor", "prove", "demo", "131")
                .doesNotContain("\u001b", "serve");
    }

    @Test
    void unknownCommand_isUsageWithASuggestion() throws Exception {
        Outcome outcome = WlProcess.run(folder, "exections");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("executions");
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void badOption_isUsageAndPointsToTheHelp() throws Exception {
        Outcome outcome = WlProcess.run(folder, "query", "SELECT 1", "--deadline", "soon");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("soon", "wl query --help").doesNotContain("\tat ");
    }

    @Test
    void jobs_whereNothingRan_isAnEmptyListAndMakesNoFolder() throws Exception {
        Outcome outcome = WlProcess.run(folder, "jobs", "--json");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("{\"schema\":\"weighlock.jobs/1\",\"jobs\":[],\"next\":null}\n");
        assertThat(folder.resolve(".weighlock")).doesNotExist();
    }

    @Test
    void show_whereNothingRan_isNotFoundAndSaysWhatToDo() throws Exception {
        Outcome outcome = WlProcess.run(folder, "show", "1");

        assertThat(outcome.code()).isEqualTo(4);
        assertThat(outcome.err()).contains(".weighlock/repository.db", "--repository");
    }

    @Test
    void settings_withMistakes_areRefusedWithFileAndLine() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), "repository:\n  urll: x\n");

        Outcome outcome = WlProcess.run(folder, "jobs");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("weighlock.yaml:2", "urll", "url");
    }
}
