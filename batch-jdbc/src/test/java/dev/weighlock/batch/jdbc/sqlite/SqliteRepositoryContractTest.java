package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testkit.contract.RepositoryStore;
import dev.weighlock.batch.testkit.contract.SharedRepositoryContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

class SqliteRepositoryContractTest extends SharedRepositoryContract {
    @TempDir
    Path folder;

    @Override
    protected RepositoryStore newStore() {
        var file = folder.resolve(UUID.randomUUID().toString()).resolve("repository.db");
        return new RepositoryStore() {
            @Override
            public JobRepository open() {
                return SqliteRepository.open(file);
            }

            @Override
            public void close() {}
        };
    }
}
