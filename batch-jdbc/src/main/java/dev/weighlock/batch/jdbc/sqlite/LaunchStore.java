package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.jdbc.store.Audit;
import dev.weighlock.batch.jdbc.store.Definitions;
import dev.weighlock.batch.jdbc.store.Explorer;
import dev.weighlock.batch.jdbc.store.HoldStore;
import dev.weighlock.batch.jdbc.store.QueueStore;
import dev.weighlock.batch.jdbc.store.Row;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StepStore;
import dev.weighlock.batch.jdbc.store.StoredParameters;
import dev.weighlock.batch.repository.FirstStep;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.SQLException;
import java.util.Optional;

/** Creates executions. SQLite has one writer, so the transaction itself makes the decision atomic. */
final class LaunchStore {
    private final SqliteDatabase database;

    LaunchStore(SqliteDatabase database) {
        this.database = database;
    }

    LaunchDecision create(LaunchRequest request) {
        var parameters = StoredParameters.write(request.parameters());
        var identity = request.parameters().identity();
        return database.write(session -> {
            var last = last(session, request, identity);
            var refusal = refusal(session, request, last);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            if (last.isEmpty() && request.expectedPrevious().isPresent()) {
                throw RepositoryRefusals.forgotten(request.expectedPrevious().getAsLong());
            }
            Definitions.store(session, request.definition());
            var instance = last.isPresent() ? last.get().instance() : newInstance(session, request, identity);
            var first = last.isEmpty() ? request.first() : Optional.<FirstStep>empty();
            var created = insert(session, request, instance, last, parameters, first.isPresent());
            count(session, created, last.isEmpty());
            for (var entry : request.audit()) {
                Audit.write(session, created.id(), entry);
            }
            if (request.slot().isPresent()) {
                QueueStore.started(session, request.slot().get(), created);
            }
            return new LaunchDecision.Created(
                    created,
                    first.isPresent() ? Optional.of(StepStore.begin(session, created, first.get())) : Optional.empty());
        });
    }

    private static Optional<LaunchDecision> refusal(Session session, LaunchRequest request, Optional<JobExecution> last)
            throws SQLException {
        if (last.isPresent()) {
            var refusal = RepositoryRules.refusal(last.get(), request, HoldStore.inTheWay(session, last.get()));
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return request.slot().isPresent()
                ? QueueStore.refusal(session, request, request.slot().get())
                : Optional.empty();
    }

    private static Optional<JobExecution> last(Session session, LaunchRequest request, String identity)
            throws SQLException {
        return session.sql(Explorer.EXECUTIONS + """
                        WHERE j.name = :job AND i.identity = :identity
                        ORDER BY e.attempt DESC LIMIT 1
                        """)
                .bind("job", request.job().value())
                .bind("identity", identity)
                .first(Row::execution);
    }

    private static JobInstance newInstance(Session session, LaunchRequest request, String identity)
            throws SQLException {
        long job = session.sql("""
                        INSERT INTO job (name, instances, executions, last_execution_id)
                        VALUES (:job, 0, 0, 0)
                        ON CONFLICT (name) DO UPDATE SET name = excluded.name
                        RETURNING id
                        """).bind("job", request.job().value()).one(row -> row.number("id"));
        // An instance whose executions were removed, or never stored, is no error.
        long id = session.sql("""
                        INSERT INTO job_instance (job_id, identity) VALUES (:job, :identity)
                        ON CONFLICT (job_id, identity) DO UPDATE SET purging = 0
                        RETURNING id
                        """).bind("job", job).bind("identity", identity).one(row -> row.number("id"));
        return new JobInstance(id, request.job(), identity);
    }

    private static JobExecution insert(
            Session session,
            LaunchRequest request,
            JobInstance instance,
            Optional<JobExecution> last,
            String parameters,
            boolean begins)
            throws SQLException {
        return session.sql("""
                        INSERT INTO job_execution (job_id, instance_id, attempt, parameters, definition_digest,
                            fingerprint, status, exit_code, version, epoch, owner_node, context, created_at,
                            started_at)
                        SELECT job_id, id, :attempt, :parameters, :digest,
                            :fingerprint, :status, 'UNKNOWN', 1, :epoch, :node, :context, {now},
                            CASE WHEN :begins THEN {now} END
                        FROM job_instance WHERE id = :instance
                        RETURNING *
                        """)
                .bind("instance", instance.id())
                .bind("attempt", last.map(JobExecution::attempt).orElse(0) + 1)
                .bind("parameters", parameters)
                .bind("digest", request.definition().digest())
                .bind("fingerprint", request.fingerprint())
                .bind("epoch", last.map(JobExecution::epoch).orElse(0L) + 1)
                .bind("node", request.node())
                .bind("status", begins ? BatchStatus.STARTED : BatchStatus.STARTING)
                .bind("begins", begins)
                .bind(
                        "context",
                        last.map(JobExecution::context)
                                .orElse(ExecutionContext.EMPTY)
                                .toJson())
                .one(row -> row.execution(instance));
    }

    private static void count(Session session, JobExecution created, boolean first) throws SQLException {
        session.sql("""
                        UPDATE job SET instances = instances + :instances, executions = executions + 1,
                            last_execution_id = :execution
                        WHERE id = (SELECT job_id FROM job_instance WHERE id = :instance)
                        """)
                .bind("instances", first ? 1 : 0)
                .bind("execution", created.id())
                .bind("instance", created.instance().id())
                .update();
    }
}
