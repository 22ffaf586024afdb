package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of a job file and its settings, looked for in everything that the real program prints and leaves. */
class SecretTest {
    private static final String TOKEN = "canary-token-1";
    private static final String USER = "canary-user-2";
    private static final String PASSWORD = "canary-password-3";
    private static final Map<String, String> ENVIRONMENT = Map.of("API_TOKEN", TOKEN, "SHOP_USER", USER);

    @TempDir
    Path folder;

    /** Outside of the folder that is searched. */
    @TempDir
    Path vault;

    private final List<String> printed = new ArrayList<>();

    @BeforeEach
    void writeJob() throws Exception {
        String url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
        Files.writeString(vault.resolve("password"), PASSWORD + "\n");
        Files.writeString(folder.resolve("orders.csv"), "id\n1\n");
        Files.writeString(folder.resolve("weighlock.yaml"), """
                connections:
                  shop: {url: "%s", user: "env:SHOP_USER", password: "file:%s", checkpoint: create}
                """.formatted(url, vault.resolve("password")));
        Files.writeString(folder.resolve("load.yaml"), """
                job: load
                parameters:
                  token: {type: secret}
                  note: {type: string, default: none}
                steps:
                  - id: call
                    shell:
                      command: [sh, -c, 'echo "called with $TOKEN and $NOTE"']
                      env: {TOKEN: "{token}", NOTE: "{note}"}
                  - id: load
                    chunk:
                      read: {csv: "orders.csv", schema: {id: BIGINT}}
                      write: {jdbc: {connection: shop, table: orders, mode: insert}}
                """);
    }

    private Outcome wl(String... words) throws Exception {
        try (WlProcess wl = WlProcess.start(folder, ENVIRONMENT, words)) {
            Outcome outcome = wl.await();
            printed.add(outcome.out() + outcome.err());
            return outcome;
        }
    }

    private void look() throws Exception {
        for (String word : List.of("show", "logs")) {
            wl(word, "1");
        }
        wl("show", "1", "--json");
        wl("executions", "--json");
        wl("jobs", "--json");
    }

    @Test
    void secrets_ofARunThatTheServerRefuses_arePrintedAndStoredNowhere() throws Exception {
        Outcome refused = wl("run", "load.yaml", "--allow-shell", "-p", "token=env:API_TOKEN");
        look();

        assertThat(refused.code()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err()).contains("shop", "\"***\" does not exist");
        assertThat(String.join("\n", printed)).contains("env:API_TOKEN", "called with *** and none");
        assertThat(found()).isEmpty();
    }

    @Test
    void secret_givenAsAValue_isRefusedWithoutShowingIt() throws Exception {
        Outcome refused = wl("run", "load.yaml", "--allow-shell", "-p", "token=" + TOKEN);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("token", "env:");
        assertThat(found()).isEmpty();
    }

    /** The test of the test: what is no secret is found by the same search. */
    @Test
    void plantedLeak_isFound() throws Exception {
        wl("run", "load.yaml", "--allow-shell", "-p", "token=env:API_TOKEN", "-p", "note=" + PASSWORD);
        look();

        assertThat(found()).contains("repository.db", "1.log", "output");
    }

    /** File names, and "output" for what was printed. */
    private Set<String> found() throws IOException {
        Set<String> found = new TreeSet<>();
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (holds(Files.readString(file, StandardCharsets.ISO_8859_1))) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        if (holds(String.join("\n", printed))) {
            found.add("output");
        }
        return found;
    }

    private static boolean holds(String text) {
        return List.of(TOKEN, USER, PASSWORD).stream().anyMatch(text::contains);
    }
}
