package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.testkit.contract.RepositoryStore;
import dev.weighlock.batch.testkit.contract.SharedRepositoryContract;

/** On the newest server that the repository runs on. */
class PostgresRepositoryContractTest extends SharedRepositoryContract {
    @Override
    protected RepositoryStore newStore() {
        return TestStore.onNewest();
    }
}
