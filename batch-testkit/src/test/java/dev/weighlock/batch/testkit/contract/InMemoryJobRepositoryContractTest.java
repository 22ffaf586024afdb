package dev.weighlock.batch.testkit.contract;

import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;

/** The contract's subset for one process: nothing outlives it, nobody shares it, and there is no database to enlist in. */
class InMemoryJobRepositoryContractTest extends JobRepositoryContract {
    @Override
    protected RepositoryStore newStore() {
        return new RepositoryStore() {
            @Override
            public JobRepository open() {
                return new InMemoryJobRepository();
            }

            @Override
            public void close() {}
        };
    }
}
