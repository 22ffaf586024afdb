package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresSchemaTest {
    private static final int VERSION = PostgresSchema.VERSION;

    private final TestStore store = TestStore.onNewest();

    @AfterEach
    void close() {
        store.close();
    }

    private static BatchException refusal(PostgresSettings settings) {
        var refusal = catchThrowableOfType(BatchException.class, () -> PostgresRepository.open(settings));
        assertThat(refusal).as("refusal").isNotNull();
        return refusal;
    }

    private void assertRefused(SchemaStatus status, String what) {
        assertThat(new PostgresSchema(store.settings()).status()).isEqualTo(status);
        assertThat(refusal(store.settings()).error()).isEqualTo(BatchError.SCHEMA_VERSION);
        assertThat(refusal(store.settings())).hasMessageContaining(what);
    }

    @Test
    void open_withoutTables_saysHowTheyAreMadeAndMakesNone() throws Exception {
        store.run("DROP SCHEMA " + store.settings().schema() + " CASCADE");

        assertRefused(new SchemaStatus.Uninitialised(VERSION), "wl schema migrate");
        assertThat(store.number("SELECT count(*) FROM pg_namespace WHERE nspname = '"
                        + store.settings().schema() + "'"))
                .isZero();
        store.run("CREATE SCHEMA " + store.settings().schema());
    }

    @Test
    void open_olderTables_saysToMigrate() throws Exception {
        store.run("DELETE FROM schema_migration");

        assertRefused(new SchemaStatus.Older(0, VERSION), "older than this program's");
    }

    @Test
    void open_newerTables_saysToUseTheNewerProgramAndMigratesNothing() throws Exception {
        store.run("INSERT INTO schema_migration VALUES (" + (VERSION + 1) + ", 'x')");

        assertRefused(new SchemaStatus.Newer(VERSION + 1, VERSION), "newer");
        var refusal = catchThrowableOfType(BatchException.class, () -> new PostgresSchema(store.settings()).migrate());
        assertThat(refusal.error()).isEqualTo(BatchError.SCHEMA_VERSION);
    }

    @Test
    void open_tablesOfAnotherScript_isRefused() throws Exception {
        store.run("UPDATE schema_migration SET checksum = 'another' WHERE version = 1");

        assertRefused(new SchemaStatus.Changed(1, VERSION), "another script");
    }

    @Test
    void migrate_byManyAtOnce_appliesEachScriptOnce() throws Exception {
        store.run("DROP SCHEMA " + store.settings().schema() + " CASCADE");
        Callable<Integer> migrate = () -> new PostgresSchema(store.settings()).migrate();
        int applied = 0;
        try (var executor = Executors.newFixedThreadPool(4)) {
            for (var done : executor.invokeAll(Collections.nCopies(4, migrate))) {
                applied += done.get();
            }
        }

        assertThat(applied).isEqualTo(VERSION);
        assertThat(store.number("SELECT count(*) FROM repository")).isEqualTo(1);
        PostgresRepository.open(store.settings()).close();
    }

    @Test
    void open_serverThatIsNotThere_isUnavailable() {
        var settings = TestStore.settings("postgresql://localhost:1/none");

        assertThat(refusal(settings).error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
    }

    @Test
    void open_unknownDatabase_isUnavailableAndTellsNoCredential() {
        var settings = PostgresSettings.of(
                EmbeddedDatabase.url("nowhere"), () -> Optional.of("postgres"), () -> Optional.of("hunter2"));

        assertThat(refusal(settings).error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
        assertThat(refusal(settings)).hasMessageContaining("nowhere");
        assertThat(refusal(settings).toString()).doesNotContain("hunter2");
    }

    @Test
    void everyForeignKey_hasAnIndex() throws Exception {
        assertThat(store.text("""
                        SELECT coalesce(string_agg(c.conrelid::regclass || '.' || c.conname, ', '), '')
                        FROM pg_constraint c
                        WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND NOT EXISTS (
                            SELECT 1 FROM pg_index i
                            WHERE i.indrelid = c.conrelid AND i.indpred IS NULL AND i.indkey[0] = c.conkey[1])
                        """)).isEmpty();
    }

    @Test
    void server_beforeSixteen_isRefused() {
        PostgresSchema.requireSupported("postgresql://db/jobs", 16);

        assertThatThrownBy(() -> PostgresSchema.requireSupported("postgresql://db/jobs", 15))
                .isInstanceOf(BatchException.class)
                .hasMessageContaining("PostgreSQL 15")
                .hasMessageContaining("16 or later");
    }
}
