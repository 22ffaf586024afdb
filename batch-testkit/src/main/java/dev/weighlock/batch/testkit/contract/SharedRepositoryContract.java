package dev.weighlock.batch.testkit.contract;

import org.junit.jupiter.api.Nested;

/** What a repository in a database must do besides: several processes share it, and writes of the user enlist in it. */
public abstract class SharedRepositoryContract extends JobRepositoryContract {
    @Nested
    class Ownership extends OwnershipContract {
        @Override
        RepositoryStore newStore() {
            return SharedRepositoryContract.this.newStore();
        }
    }

    @Nested
    class EnlistedWrites extends EnlistedWriteContract {
        @Override
        RepositoryStore newStore() {
            return SharedRepositoryContract.this.newStore();
        }
    }
}
