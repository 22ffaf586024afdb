package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.app.wiring.MachineBudget;
import dev.weighlock.host.ClaimFolder;
import dev.weighlock.query.device.HostBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real programs on one machine share its memory. */
class SharedBudgetTest {
    private static final long MIB = 1 << 20;
    private static final long HEAP = 256 * MIB;

    @TempDir
    Path folder;

    @Test
    void program_whoseLeastIsTaken_namesTheHolder_andRunsOnceThatOneIsKilled() throws Exception {
        Map<String, String> shared =
                Map.of("WEIGHLOCK_BUDGET_FOLDER", folder.resolve("budget").toString());
        HostBudget budget = MachineBudget.of(shared);
        long limit = settings(budget.state().totalBytes() - 2 * HEAP - 400 * MIB);
        try (WlProcess first = WlProcess.start(folder, shared, "query", endless())) {
            first.awaitThat("claimed", () -> budget.state().holders().size() == 1);
            ClaimFolder.Holder holder = budget.state().holders().getFirst();
            assertThat(holder.bytes()).isBetween(limit, limit + HEAP);
            assertThat(settings(500 * MIB)).isEqualTo(500 * MIB);

            try (WlProcess second = WlProcess.start(folder, shared, "query", "SELECT 42 AS answer")) {
                Told.clearly(second.await(), 75, "process " + holder.pid() + " (wl query, ", "needs 500 MiB");
            }
            assertThat(budget.state().holders()).containsExactly(holder);
            first.kill();
            first.await();
            try (WlProcess second = WlProcess.start(folder, shared, "query", "SELECT 42 AS answer")) {
                assertThat(second.await().out()).contains("42");
            }
            assertThat(budget.state().holders()).isEmpty();
        }
    }

    @Test
    void limitAboveTheMachine_isRefusedByRule_andAJobWithoutQueriesNeedsNone() throws Exception {
        assertThat(settings(1L << 50)).isEqualTo(1L << 50);
        Outcome query = WlProcess.run(folder, "query", "SELECT 42 AS answer");
        Told.clearly(query, 3, "can never be claimed", "JVM maximum (-Xmx)");

        Files.writeString(folder.resolve("job.yaml"), """
                job: j
                steps:
                  - id: load
                    chunk:
                      read:  {csv: "in.csv", schema: {id: BIGINT}}
                      write: {jdbc: {connection: shop, table: t}}
                """);
        Files.writeString(folder.resolve("in.csv"), "id\n1\n");
        Files.writeString(
                folder.resolve("weighlock.yaml"),
                "connections: {shop: {url: \"sqlite:shop.db\", checkpoint: create}}\n",
                StandardOpenOption.APPEND);
        try (Connection shop = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                Statement statement = shop.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER)");
        }
        Outcome job = WlProcess.run(folder, "run", "job.yaml");
        assertThat(job.code()).as(job.err()).isZero();
    }

    /** Sets the limit of the device, in whole MiB, and gives it back. */
    private long settings(long limitBytes) throws Exception {
        long mib = limitBytes / MIB;
        Files.writeString(folder.resolve("weighlock.yaml"), "devices: {host: {limit: " + mib + "MiB}}\n");
        return mib * MIB;
    }

    private static String endless() {
        return "SELECT sum(a.range * b.range) FROM range(1000000) a, range(100000) b";
    }
}
