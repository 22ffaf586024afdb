package dev.weighlock.batch.operate;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PurgeCandidate;
import dev.weighlock.batch.repository.PurgeRule;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Removes what is old: first a plan, then, for whoever names its digest, the deed, in short transactions with room
 * between them for live work.
 *
 * <p>Thread-safe; calls block on the repository: from platform threads only.
 */
public final class Purge {
    private static final int PAGE = 1_000;
    private static final int BATCH = 200;
    private static final int ROWS = 2_000;
    private static final long ROOM_NANOS = 1_000_000;

    private final JobRepository repository;
    private final Repeats repeats;

    public Purge(JobRepository repository) {
        this.repository = repository;
        this.repeats = new Repeats(repository);
    }

    /** What the rule, its instant cut to the millisecond, would remove now. */
    public PurgePlan plan(PurgeRule asked) {
        var rule = new PurgeRule(asked.endedBefore().truncatedTo(ChronoUnit.MILLIS), asked.keepLast());
        var instances = new ArrayList<PurgeCandidate>();
        Optional<PurgeCandidate> last = Optional.empty();
        do {
            var page = repository.purgeable(rule, last, PAGE);
            instances.addAll(page);
            last = page.size() < PAGE ? Optional.empty() : Optional.of(page.getLast());
        } while (last.isPresent());
        return PurgePlan.of(rule, instances);
    }

    /**
     * Carries a plan out. Carried out before, it changes nothing and says what was done then; whoever breaks off in the
     * middle leaves a new plan, and no key.
     *
     * @throws BatchException INVALID_PARAMETER for a text that is no digest or the key of another act, STALE_VERSION when
     *     the plan would be another one now
     */
    public Acted<PurgeResult> apply(String digest, Instruction by, PurgeEffects effects) {
        var rule = PurgePlan.rule(digest);
        var key = "purge " + digest;
        var keyed = repeats.done("purge", OptionalLong.empty(), "plan " + digest + ":", by.key());
        var earlier = repository.audited(key).or(() -> keyed);
        if (earlier.isPresent()) {
            return new Acted<>(before(earlier.get()), false);
        }
        var plan = plan(rule);
        if (!plan.digest().equals(digest)) {
            throw new BatchException(
                    BatchError.STALE_VERSION,
                    "what would be removed is not what it was when that was planned: plan again with 'wl purge'");
        }
        repository.audit(
                new AuditEntry("purge-begun", by.actor(), plan.instances().size() + " instances, plan " + digest));
        var result = remove(plan, effects);
        var detail = reasoned(result.detail(), by);
        record(new AuditEntry("purge", by.actor(), detail, Optional.of(key)));
        if (by.key().isPresent()) {
            record(new AuditEntry("purge", by.actor(), "plan " + digest + ": " + detail, by.key()));
        }
        return new Acted<>(result, true);
    }

    /** Two that carried out one plan at once did the same: the first says so. */
    private void record(AuditEntry entry) {
        try {
            repository.audit(entry);
        } catch (BatchException e) {
            if (e.error() != BatchError.ALREADY_DONE) {
                throw e;
            }
        }
    }

    private static String reasoned(String detail, Instruction by) {
        return by.reason().isBlank() ? detail : detail + ": " + by.reason();
    }

    private static PurgeResult before(AuditRecord record) {
        return new PurgeResult(0, 0, 0, 0, record.entry().detail());
    }

    private PurgeResult remove(PurgePlan plan, PurgeEffects effects) {
        long instances = 0;
        long executions = 0;
        for (int at = 0; at < plan.instances().size(); at += BATCH) {
            var batch = plan.instances().subList(at, Math.min(plan.instances().size(), at + BATCH));
            var begun = repository.beginPurge(plan.rule(), batch);
            effects.removing(begun);
            removeRows();
            instances += begun.size();
            executions +=
                    begun.stream().mapToLong(one -> one.executions().size()).sum();
        }
        long requests = removeRequests(plan.rule());
        long kept = plan.instances().size() - instances;
        var detail = instances + " instances with " + executions + " executions removed"
                + (kept > 0 ? ", " + kept + " kept that were run or held meanwhile" : "");
        return new PurgeResult(instances, executions, kept, requests, detail);
    }

    private void removeRows() {
        while (repository.purge(ROWS) >= ROWS) {
            leaveRoom();
        }
        leaveRoom();
    }

    private long removeRequests(PurgeRule rule) {
        long all = 0;
        long some;
        do {
            some = repository.purgeQueue(rule, ROWS);
            all += some;
            leaveRoom();
        } while (some >= ROWS);
        return all;
    }

    /** A file with one writer has no queue: whoever waits needs a moment in which nobody writes. */
    private static void leaveRoom() {
        LockSupport.parkNanos(ROOM_NANOS);
    }
}
