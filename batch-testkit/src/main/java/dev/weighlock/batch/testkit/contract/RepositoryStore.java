package dev.weighlock.batch.testkit.contract;

import dev.weighlock.batch.repository.JobRepository;

/** One new, empty store; closing it removes it. The contract closes every repository that it opened. */
public interface RepositoryStore extends AutoCloseable {
    /** Opens the store. Under the shared contract it is called more than once, each call for another process. */
    JobRepository open();

    @Override
    void close();
}
