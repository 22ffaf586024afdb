package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.jdbc.store.ExecutionStore;
import dev.weighlock.batch.jdbc.store.ReadBacks;
import dev.weighlock.batch.jdbc.store.StepStore;
import dev.weighlock.batch.repository.EndedTogether;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.StepChange;

/** Ends an execution with its last step, in one transaction. */
record EndStore(SqliteDatabase database) {
    EndedTogether end(StepExecution step, StepChange stepChange, JobExecution execution, JobChange change) {
        RepositoryRules.check(step, stepChange, execution, change);
        var bounded = StepStore.Bounded.of(stepChange);
        var context = RepositoryBounds.context(change.context());
        return database.writeOne(
                session -> new EndedTogether(
                        StepStore.end(session, step, stepChange, bounded),
                        ExecutionStore.update(session, execution, change, context)),
                ReadBacks.of(step, execution, change.status()));
    }
}
