package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.SlotClaim;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Slots of jobs, and the launches that wait for one. Whoever decides about a slot holds the job's row, so that one after
 * the other decides; where one connection writes at a time that is so anyway.
 */
public final class QueueStore {
    private static final String REQUESTS = """
            SELECT r.*, n.host, n.pid FROM launch_request r LEFT JOIN node n ON n.id = r.requested_by
            """;
    private static final int MOST = 10_000;

    private final StoreDatabase database;

    public QueueStore(StoreDatabase database) {
        this.database = database;
    }

    public List<QueuedLaunch> waiting(Optional<JobName> job, int limit) {
        return database.read(session -> waiting(session, job, limit));
    }

    private static List<QueuedLaunch> waiting(Session session, Optional<JobName> job, int limit) throws SQLException {
        return session.sql(REQUESTS + """
                        WHERE r.ended_at IS NULL AND r.job_name = coalesce(:job, r.job_name) ORDER BY r.id LIMIT :limit
                        """)
                .bind("job", job.map(JobName::value))
                .bind("limit", limit)
                .list(QueueStore::request);
    }

    public Optional<QueuedLaunch> find(long id) {
        return database.read(session -> find(session, id));
    }

    private static Optional<QueuedLaunch> find(Session session, long id) throws SQLException {
        return session.sql(REQUESTS + "WHERE r.id = :id").bind("id", id).first(QueueStore::request);
    }

    private static QueuedLaunch get(Session session, long id) throws SQLException {
        return find(session, id).orElseThrow(() -> RepositoryRefusals.unknown("launch request r" + id));
    }

    private static QueuedLaunch request(Row row) throws SQLException {
        return new QueuedLaunch(
                row.number("id"),
                new JobName(row.text("job_name")),
                StoredParameters.read(row.text("parameters")),
                row.text("identity"),
                row.text("actor"),
                new NodeInfo(row.text("requested_by"), row.optionalText("host").orElse("unknown"), row.number("pid")),
                row.instant("requested_at"),
                state(row.text("status")),
                row.optionalNumber("execution_id"),
                row.optionalText("outcome"));
    }

    private static QueuedLaunch.State state(String status) {
        return switch (status) {
            case "WAITING" -> QueuedLaunch.State.WAITING;
            case "LAUNCHED" -> QueuedLaunch.State.STARTED;
            default -> QueuedLaunch.State.CANCELLED;
        };
    }

    public QueuedLaunch cancel(long id, AuditEntry audit) {
        return database.write(
                session -> {
                    int cancelled = session.sql("""
                                    UPDATE launch_request SET status = 'CANCELLED', ended_at = {now}, outcome = :by
                                    WHERE id = :id AND ended_at IS NULL
                                    """)
                            .bind("id", id)
                            .bind("by", RepositoryRules.endedBy(audit))
                            .update();
                    if (cancelled == 1) {
                        Audit.write(session, audit);
                    }
                    return get(session, id);
                },
                ReadBack.none());
    }

    /** Why the launch gets no slot now, and its place where it waits for one; empty when it gets one. */
    public static Optional<LaunchDecision> refusal(Session session, LaunchRequest launch, SlotClaim claim)
            throws SQLException {
        if (claim.request().isPresent()) {
            var withdrawn = withdrawn(session, claim.request().getAsLong());
            if (withdrawn.isPresent()) {
                return withdrawn;
            }
        }
        var waiting = waiting(session, Optional.of(launch.job()), MOST);
        var identity = launch.parameters().identity();
        var same = waiting.stream()
                .filter(request -> request.identity().equals(identity))
                .filter(request -> request.id() != claim.request().orElse(-1))
                .findFirst();
        if (same.isPresent() && !claim.aheadOfQueue()) {
            return Optional.of(new LaunchDecision.AlreadyQueued(same.get()));
        }
        return full(session, launch, claim, waiting);
    }

    /** A request that is being cancelled this moment counts as cancelled at the next look. */
    private static Optional<LaunchDecision> withdrawn(Session session, long id) throws SQLException {
        var claimed = session.sql("SELECT id FROM launch_request WHERE id = :id AND ended_at IS NULL {claim}")
                .bind("id", id)
                .first(row -> row.number("id"));
        if (claimed.isPresent()) {
            return Optional.empty();
        }
        var own = get(session, id);
        return Optional.of(
                own.isWaiting()
                        ? new LaunchDecision.Queued(own, List.of(), List.of())
                        : new LaunchDecision.Withdrawn(own));
    }

    private static Optional<LaunchDecision> full(
            Session session, LaunchRequest launch, SlotClaim claim, List<QueuedLaunch> waiting) throws SQLException {
        var running = session.sql(Explorer.EXECUTIONS + "WHERE j.name = :job AND e.ended_at IS NULL ORDER BY e.id")
                .bind("job", launch.job().value())
                .list(Row::execution);
        var ahead = waiting.stream()
                .filter(request -> request.id() < claim.request().orElse(Long.MAX_VALUE))
                .toList();
        if (claim.hasSlot(running.size(), ahead.size())) {
            return Optional.empty();
        }
        return Optional.of(
                switch (claim.limit().otherwise()) {
                    case REFUSE -> new LaunchDecision.LimitReached(running);
                    case QUEUE ->
                        new LaunchDecision.Queued(
                                claim.request().isPresent()
                                        ? get(session, claim.request().getAsLong())
                                        : enqueue(session, launch, claim),
                                ahead,
                                running);
                });
    }

    private static QueuedLaunch enqueue(Session session, LaunchRequest launch, SlotClaim claim) throws SQLException {
        Definitions.store(session, launch.definition());
        long id = session.sql("""
                        INSERT INTO launch_request (job_name, definition_digest, fingerprint, parameters, identity,
                            status, actor, requested_at, requested_by)
                        VALUES (:job, :digest, :fingerprint, :parameters, :identity, 'WAITING', :actor, {now}, :node)
                        RETURNING id
                        """)
                .bind("job", launch.job().value())
                .bind("digest", launch.definition().digest())
                .bind("fingerprint", launch.fingerprint())
                .bind("parameters", StoredParameters.write(launch.parameters()))
                .bind("identity", launch.parameters().identity())
                .bind("actor", RepositoryBounds.text(claim.actor()))
                .bind("node", launch.node())
                .one(row -> row.number("id"));
        return get(session, id);
    }

    /** The request has its execution. */
    public static void started(Session session, SlotClaim claim, JobExecution execution) throws SQLException {
        if (claim.request().isPresent()) {
            session.sql("""
                            UPDATE launch_request SET status = 'LAUNCHED', ended_at = {now}, execution_id = :execution
                            WHERE id = :id
                            """)
                    .bind("id", claim.request())
                    .bind("execution", execution.id())
                    .update();
        }
    }
}
