package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import dev.weighlock.batch.testkit.contract.RepositoryStore;
import dev.weighlock.batch.testkit.contract.SharedRepositoryContract;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

class PostgresRepositoryContractTest extends SharedRepositoryContract {
    private static PostgresSettings settings() {
        return PostgresSettings.of(
                        EmbeddedDatabase.url("postgres"),
                        () -> Optional.of(EmbeddedDatabase.USER),
                        () -> Optional.of("any"))
                .withSchema("s" + UUID.randomUUID().toString().replace("-", ""));
    }

    @Override
    protected RepositoryStore newStore() {
        var settings = settings();
        new PostgresSchema(settings).migrate();
        return new RepositoryStore() {
            @Override
            public JobRepository open() {
                return PostgresRepository.open(settings);
            }

            @Override
            public void close() {
                try (var connection = EmbeddedDatabase.connect("postgres");
                        var statement = connection.createStatement()) {
                    statement.execute("DROP SCHEMA " + settings.schema() + " CASCADE");
                } catch (SQLException e) {
                    throw new IllegalStateException("the schema of a test stays", e);
                }
            }
        };
    }
}
