package dev.weighlock.batch.operate;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.JobRepository;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What was done before with an idempotency key: a key belongs to one act, on one thing, in the same terms. With the same
 * instruction again nothing changes; with another one it is refused. Reasons are no terms. Thread-safe.
 */
final class Repeats {
    private final JobRepository repository;

    Repeats(JobRepository repository) {
        this.repository = repository;
    }

    boolean isDone(String action, long executionId, Optional<String> key) {
        return done(action, OptionalLong.of(executionId), "", key).isPresent();
    }

    /**
     * @param execution empty for an act that concerns none
     * @param terms how the detail of the audit begins
     * @throws BatchException INVALID_PARAMETER when the key belongs to another act
     */
    Optional<AuditRecord> done(String action, OptionalLong execution, String terms, Optional<String> key) {
        var earlier = key.flatMap(repository::audited);
        earlier.filter(record -> !isSame(record, action, execution, terms)).ifPresent(record -> {
            throw new BatchException(
                    BatchError.INVALID_PARAMETER,
                    "the idempotency key " + key.get() + " belongs to another act: " + text(record)
                            + "; repeat that one, or choose another key");
        });
        return earlier;
    }

    private static boolean isSame(AuditRecord record, String action, OptionalLong execution, String terms) {
        return record.entry().action().equals(action)
                && record.execution().equals(execution)
                && record.entry().detail().startsWith(terms);
    }

    private static String text(AuditRecord record) {
        var act = record.entry().action()
                + (record.execution().isPresent()
                        ? " of execution " + record.execution().getAsLong()
                        : "");
        return record.entry().detail().isBlank()
                ? act
                : act + " (" + record.entry().detail() + ")";
    }
}
