package dev.weighlock.batch.testkit.contract;

import org.junit.jupiter.api.Nested;

/** What every job repository must do. A repository's test extends this and says how a store is made. */
public abstract class JobRepositoryContract {
    /** A new, empty store for one test. */
    protected abstract RepositoryStore newStore();

    @Nested
    class Launch extends LaunchContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Steps extends StepContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class JointEnd extends JointEndContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Partitions extends PartitionContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Stop extends StopContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Explorer extends ExplorerContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Queue extends QueueContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Holding extends HoldContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }

    @Nested
    class Retention extends RetentionContract {
        @Override
        RepositoryStore newStore() {
            return JobRepositoryContract.this.newStore();
        }
    }
}
