package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StopInstants;
import dev.weighlock.batch.jdbc.store.Audit;
import dev.weighlock.batch.jdbc.store.Explorer;
import dev.weighlock.batch.jdbc.store.HoldStore;
import dev.weighlock.batch.jdbc.store.QueueStore;
import dev.weighlock.batch.jdbc.store.Row;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.Sql;
import dev.weighlock.batch.jdbc.store.StepStore;
import dev.weighlock.batch.jdbc.store.StoredParameters;
import dev.weighlock.batch.repository.FirstStep;
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
                    status, exit_code, version, epoch, owner_node, launch_key, context, created_at, started_at)
                SELECT job_id, instance_id, attempt + 1, :parameters, :digest, :fingerprint,
                    :status, 'UNKNOWN', 1, epoch + 1, :node, CAST(:key AS uuid), context, {now},
                    CASE WHEN :begins THEN {now} END
                FROM prior
                ON CONFLICT DO NOTHING
                RETURNING id, job_id, instance_id, attempt, epoch, context, created_at),
            """;

    private static final String BEGUN = """
            begun AS (
                INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code, version,
                    epoch, context, partitioned, started_at)
                SELECT id, instance_id, :step, 1, 'STARTED', 'UNKNOWN', 1, epoch, :empty, :partitioned, {now}
                FROM created
                RETURNING id),
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
            """;

    private static final String RESULT = "SELECT * FROM created";

    private static final String RESULT_BEGUN = "SELECT created.*, begun.id AS step_id FROM created, begun";

    /** The unique keys of job and instance one after the other, whatever the planner thinks of their joins. */
    private static final String INSTANCE_ID = """
            (SELECT i.id FROM job_instance i
             WHERE i.job_id = (SELECT id FROM job WHERE name = :job) AND i.identity = :identity)
            """;

    private static final String INSTANCE = """
            WITH instance AS (
                INSERT INTO job_instance (job_id, identity) SELECT id, :identity FROM job WHERE name = :job
                ON CONFLICT (job_id, identity) DO NOTHING
                RETURNING id, job_id),
            prior AS (
                SELECT job_id, id AS instance_id, CAST(0 AS integer) AS attempt, CAST(0 AS bigint) AS epoch,
                    CAST(:empty AS text) AS context
                FROM instance),
            """;

    private static final String NEW_INSTANCE = INSTANCE + CREATED + STORED + RESULT;

    private static final String NEW_INSTANCE_BEGUN = INSTANCE + CREATED + BEGUN + STORED + RESULT_BEGUN;

    /** An instance whose executions were removed, or never stored, is no error. */
    private static final String KNOWN_INSTANCE = """
            WITH prior AS (
                SELECT i.job_id, i.id AS instance_id, CAST(0 AS integer) AS attempt, CAST(0 AS bigint) AS epoch,
                    CAST(:empty AS text) AS context
                FROM job_instance i
                WHERE NOT EXISTS (SELECT 1 FROM job_execution e WHERE e.instance_id = i.id) AND i.id =
            """ + INSTANCE_ID + "),\n" + CREATED + STORED + RESULT;

    private static final String RESTART = """
            WITH prior AS (
                SELECT owner.job_id, owner.instance_id, owner.attempt, owner.epoch, owner.context
                FROM job_execution owner
                WHERE owner.id = :previous AND owner.status IN ('STOPPED', 'FAILED')
                    AND NOT EXISTS (
                        SELECT 1 FROM hold h WHERE h.instance_id = owner.instance_id AND h.released_at IS NULL)
                    AND NOT EXISTS (SELECT 1 FROM job_instance p WHERE p.id = owner.instance_id AND p.purging)
                    AND owner.instance_id =
            """ + INSTANCE_ID + "{share}),\n" + CREATED + STORED + RESULT;

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
            var text = request.expectedPrevious().isPresent() ? RESTART : newInstance();
            for (int tried = 1; tried <= TRIES; tried++) {
                boolean begins = text.equals(NEW_INSTANCE_BEGUN);
                var created = bound(session, text).first(row -> created(row, begins));
                if (created.isPresent()) {
                    return created.get();
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

        private String newInstance() {
            return request.first().isPresent() ? NEW_INSTANCE_BEGUN : NEW_INSTANCE;
        }

        /** What came back is what the database alone knows. */
        private LaunchDecision created(Row row, boolean begins) throws SQLException {
            var createdAt = row.instant("created_at");
            var execution = new JobExecution(
                    row.number("id"),
                    new JobInstance(row.number("instance_id"), request.job(), identity()),
                    Math.toIntExact(row.number("attempt")),
                    request.parameters(),
                    request.definition().digest(),
                    request.fingerprint(),
                    begins ? BatchStatus.STARTED : BatchStatus.STARTING,
                    ExitStatus.UNKNOWN,
                    1,
                    row.number("epoch"),
                    request.node(),
                    row.context("context"),
                    StopInstants.NONE,
                    createdAt,
                    begins ? Optional.of(createdAt) : Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            return new LaunchDecision.Created(
                    execution, begins ? Optional.of(begun(row.number("step_id"), execution)) : Optional.empty());
        }

        private StepExecution begun(long id, JobExecution execution) {
            var first = request.first().orElseThrow();
            return new StepExecution(
                    id,
                    execution.id(),
                    execution.instance().id(),
                    first.name(),
                    1,
                    BatchStatus.STARTED,
                    ExitStatus.UNKNOWN,
                    1,
                    execution.epoch(),
                    StepCounts.ZERO,
                    ExecutionContext.EMPTY,
                    first.partitioned(),
                    Optional.empty(),
                    execution.createdAt(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
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
            if (decision instanceof LaunchDecision.Created created) {
                var execution = created.execution();
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
            return inserted == 1 || instance(session).isEmpty() ? newInstance() : KNOWN_INSTANCE;
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
            var found = session.sql(Explorer.EXECUTIONS + "WHERE e.launch_key = CAST(:key AS uuid) AND e.instance_id = "
                            + INSTANCE_ID)
                    .bind("job", request.job().value())
                    .bind("identity", identity())
                    .bind("key", key)
                    .first(Row::execution);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            var execution = found.get();
            var begun = request.first().isPresent()
                    ? StepStore.begun(session, execution, request.first().get())
                    : Optional.<StepExecution>empty();
            return Optional.of(new LaunchDecision.Created(execution, begun));
        }

        private Sql bound(Session session, String text) {
            var definition = request.definition();
            boolean begins = text.equals(NEW_INSTANCE_BEGUN);
            return session.sql(text)
                    .bind("status", begins ? BatchStatus.STARTED : BatchStatus.STARTING)
                    .bind("begins", begins)
                    .bind("step", request.first().map(first -> first.name().value()))
                    .bind("partitioned", request.first().map(FirstStep::partitioned))
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
                    .bind("first", text.equals(NEW_INSTANCE) || begins ? 1 : 0);
        }
    }
}
