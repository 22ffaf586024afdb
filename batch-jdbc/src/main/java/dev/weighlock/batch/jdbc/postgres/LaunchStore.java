package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.store.Audit;
import dev.weighlock.batch.jdbc.store.Explorer;
import dev.weighlock.batch.jdbc.store.HoldStore;
import dev.weighlock.batch.jdbc.store.QueueStore;
import dev.weighlock.batch.jdbc.store.Row;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.Sql;
import dev.weighlock.batch.jdbc.store.StoredParameters;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.SlotClaim;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * Creates executions, each by one statement that decides and writes. Of several that race for an instance one inserts;
 * the others wait for its unique keys, insert nothing, and only then read who won: at READ COMMITTED a statement does not
 * see the row that it conflicted with.
 */
final class LaunchStore {
    private static final int TRIES = 10;

    /** The columns and values that every new execution has; {@code prior} is the row it comes from. */
    private static final String CREATED = """
            created AS (
                INSERT INTO job_execution (job_id, instance_id, attempt, parameters, definition_digest, fingerprint,
                    status, exit_code, version, epoch, owner_node, launch_key, context, created_at)
                SELECT job_id, instance_id, attempt + 1, :parameters, :digest, :fingerprint,
                    'STARTING', 'UNKNOWN', 1, epoch + 1, :node, CAST(:key AS uuid), context, {now}
                FROM prior
                ON CONFLICT DO NOTHING
                RETURNING *),
            """;

    /** What follows from it in the same statement. Everybody locks in this order, so that nobody waits in a circle. */
    private static final String STORED = """
            stored AS (
                INSERT INTO definition (digest, job_name, format, content)
                SELECT :digest, :job, :format, :content FROM created
                ON CONFLICT (digest) DO NOTHING),
            counted AS (
                UPDATE job SET instances = instances + :first, executions = executions + 1,
                    last_execution_id = greatest(last_execution_id, created.id)
                FROM created WHERE job.id = created.job_id)
            SELECT created.*, CAST(:identity AS text) AS identity, CAST(:job AS text) AS job_name FROM created
            """;

    /** The unique keys of job and instance one after the other, whatever the planner thinks of their joins. */
    private static final String INSTANCE_ID = """
            (SELECT i.id FROM job_instance i
             WHERE i.job_id = (SELECT id FROM job WHERE name = :job) AND i.identity = :identity)
            """;

    private static final String NEW_INSTANCE = """
            WITH instance AS (
                INSERT INTO job_instance (job_id, identity) SELECT id, :identity FROM job WHERE name = :job
                ON CONFLICT (job_id, identity) DO NOTHING
                RETURNING id, job_id),
            prior AS (
                SELECT job_id, id AS instance_id, CAST(0 AS integer) AS attempt, CAST(0 AS bigint) AS epoch,
                    CAST(:empty AS text) AS context
                FROM instance),
            """ + CREATED + STORED;

    /** An instance whose executions were removed, or never stored, is no error. */
    private static final String KNOWN_INSTANCE = """
            WITH prior AS (
                SELECT i.job_id, i.id AS instance_id, CAST(0 AS integer) AS attempt, CAST(0 AS bigint) AS epoch,
                    CAST(:empty AS text) AS context
                FROM job_instance i
                WHERE NOT EXISTS (SELECT 1 FROM job_execution e WHERE e.instance_id = i.id) AND i.id =
            """ + INSTANCE_ID + "),\n" + CREATED + STORED;

    private static final String RESTART = """
            WITH prior AS (
                SELECT owner.job_id, owner.instance_id, owner.attempt, owner.epoch, owner.context
                FROM job_execution owner
                WHERE owner.id = :previous AND owner.status IN ('STOPPED', 'FAILED')
                    AND NOT EXISTS (
                        SELECT 1 FROM hold h WHERE h.instance_id = owner.instance_id AND h.released_at IS NULL)
                    AND NOT EXISTS (SELECT 1 FROM job_instance p WHERE p.id = owner.instance_id AND p.purging)
                    AND owner.instance_id =
            """ + INSTANCE_ID + "{share}),\n" + CREATED + STORED;

    private final PostgresDatabase database;

    LaunchStore(PostgresDatabase database) {
        this.database = database;
    }

    LaunchDecision create(LaunchRequest request) {
        var launch = new Launch(request, UUID.randomUUID().toString());
        return request.audit().isEmpty() && request.slot().isEmpty()
                ? database.writeOne(launch::decide, launch::find)
                : database.write(launch::decideWithMore, launch::find);
    }

    /** One request on its way. */
    private record Launch(LaunchRequest request, String key) {
        private String identity() {
            return request.parameters().identity();
        }

        LaunchDecision decide(Session session) throws SQLException {
            var text = request.expectedPrevious().isPresent() ? RESTART : NEW_INSTANCE;
            for (int tried = 1; tried <= TRIES; tried++) {
                var created = bound(session, text).first(Row::execution);
                if (created.isPresent()) {
                    return new LaunchDecision.Created(created.get());
                }
                var last = last(session);
                var refusal = refusal(session, last);
                if (refusal.isPresent()) {
                    return refusal.get();
                }
                if (last.isEmpty()) {
                    text = prepare(session);
                }
            }
            throw new IllegalStateException("the launch of " + request.job() + " neither won nor lost");
        }

        private Optional<LaunchDecision> refusal(Session session, Optional<JobExecution> last) throws SQLException {
            return last.isEmpty()
                    ? Optional.empty()
                    : RepositoryRules.refusal(last.get(), request, HoldStore.inTheWay(session, last.get()));
        }

        /** With a slot of its job, or entries of the audit: more than one statement. */
        LaunchDecision decideWithMore(Session session) throws SQLException {
            if (request.slot().isPresent()) {
                var noSlot = noSlot(session, request.slot().get());
                if (noSlot.isPresent()) {
                    return noSlot.get();
                }
            }
            var decision = decide(session);
            if (decision instanceof LaunchDecision.Created(var execution)) {
                for (var entry : request.audit()) {
                    Audit.write(session, execution.id(), entry);
                }
                if (request.slot().isPresent()) {
                    QueueStore.started(session, request.slot().get(), execution);
                }
            }
            return decision;
        }

        /** Until the commit nobody else decides about a slot of the job. No row is locked for it: see {@link #STORED}. */
        private Optional<LaunchDecision> noSlot(Session session, SlotClaim claim) throws SQLException {
            session.sql("""
                            SELECT CAST(pg_advisory_xact_lock(
                                hashtextextended(current_schema() || ' slots of ' || :job, 0)) AS text) AS held
                            """).bind("job", request.job().value()).list(row -> true);
            var refusal = refusal(session, last(session));
            return refusal.isPresent() ? refusal : QueueStore.refusal(session, request, claim);
        }

        /** Without any execution: either the job is new, or its instance lost all of them. */
        private String prepare(Session session) throws SQLException {
            if (request.expectedPrevious().isPresent()) {
                throw RepositoryRefusals.forgotten(request.expectedPrevious().getAsLong());
            }
            int inserted = session.sql("INSERT INTO job (name) VALUES (:job) ON CONFLICT (name) DO NOTHING")
                    .bind("job", request.job().value())
                    .update();
            return inserted == 1 || instance(session).isEmpty() ? NEW_INSTANCE : KNOWN_INSTANCE;
        }

        private Optional<Long> instance(Session session) throws SQLException {
            return session.sql("SELECT id FROM job_instance WHERE id = " + INSTANCE_ID)
                    .bind("job", request.job().value())
                    .bind("identity", identity())
                    .first(row -> row.number("id"));
        }

        private Optional<JobExecution> last(Session session) throws SQLException {
            return session.sql(Explorer.EXECUTIONS + "WHERE e.instance_id = " + INSTANCE_ID
                            + "ORDER BY e.attempt DESC LIMIT 1")
                    .bind("job", request.job().value())
                    .bind("identity", identity())
                    .first(Row::execution);
        }

        /** Its key tells this launch's execution from that of another thread of the same node. */
        Optional<LaunchDecision> find(Session session) throws SQLException {
            return session.sql(Explorer.EXECUTIONS + "WHERE e.launch_key = CAST(:key AS uuid) AND e.instance_id = "
                            + INSTANCE_ID)
                    .bind("job", request.job().value())
                    .bind("identity", identity())
                    .bind("key", key)
                    .first(Row::execution)
                    .map(LaunchDecision.Created::new);
        }

        private Sql bound(Session session, String text) {
            var definition = request.definition();
            return session.sql(text)
                    .bind("job", request.job().value())
                    .bind("identity", identity())
                    .bind("previous", request.expectedPrevious())
                    .bind("parameters", StoredParameters.write(request.parameters()))
                    .bind("digest", definition.digest())
                    .bind("format", definition.format())
                    .bind("content", definition.content())
                    .bind("fingerprint", request.fingerprint())
                    .bind("node", request.node())
                    .bind("key", key)
                    .bind("empty", ExecutionContext.EMPTY.toJson())
                    .bind("first", text.equals(NEW_INSTANCE) ? 1 : 0);
        }
    }
}
