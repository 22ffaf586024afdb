package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.testkit.contract.RepositoryStore;
import dev.weighlock.batch.testkit.contract.SharedRepositoryContract;
import org.junit.jupiter.api.BeforeAll;

/** On PostgreSQL 16, the oldest server that the repository runs on. */
class OldestPostgresContractTest extends SharedRepositoryContract {
    @BeforeAll
    static void isThatVersion() throws Exception {
        try (var connection = TestStore.oldestServer().connect("postgres")) {
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(16);
        }
    }

    @Override
    protected RepositoryStore newStore() {
        return TestStore.on(TestStore.oldestServer());
    }
}
