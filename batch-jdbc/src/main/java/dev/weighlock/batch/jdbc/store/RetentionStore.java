package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.PurgeCandidate;
import dev.weighlock.batch.repository.PurgeRule;
import dev.weighlock.batch.repository.PurgedInstance;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Removes old instances. The mark {@code purging} keeps launches away from an instance between the short transactions
 * that remove it. Each of these first locks its executions, as a restart does with the one before it: so either the
 * restart is seen, and the instance left alone, or it finds nothing to go on with.
 */
public final class RetentionStore {
    private final StoreDatabase database;

    public RetentionStore(StoreDatabase database) {
        this.database = database;
    }

    public List<PurgeCandidate> purgeable(PurgeRule rule, Optional<PurgeCandidate> after, int limit) {
        return database.read(session -> session.sql("""
                        SELECT i.id, j.name AS job_name,
                            (SELECT count(*) FROM job_execution e WHERE e.instance_id = i.id) AS executions,
                            (SELECT coalesce(max(e.id), 0) FROM job_execution e WHERE e.instance_id = i.id) AS last_id
                        FROM job_instance i JOIN job j ON j.id = i.job_id
                        WHERE i.id > :after AND (i.purging OR (
                            i.id <= coalesce((
                                SELECT n.id FROM job_instance n WHERE n.job_id = i.job_id
                                ORDER BY n.id DESC LIMIT 1 OFFSET :keep), -1)
                            AND NOT EXISTS (
                                SELECT 1 FROM hold h WHERE h.instance_id = i.id AND h.released_at IS NULL)
                            AND NOT EXISTS (
                                SELECT 1 FROM job_execution e WHERE e.instance_id = i.id
                                    AND (e.ended_at IS NULL OR e.ended_at >= :before OR e.status = 'UNKNOWN'))))
                        ORDER BY i.id LIMIT :limit
                        """)
                .bind("after", after.map(PurgeCandidate::instanceId).orElse(-1L))
                .bind("keep", rule.keepLast())
                .bind("before", rule.endedBefore())
                .bind("limit", limit)
                .list(row -> new PurgeCandidate(
                        row.number("id"),
                        new JobName(row.text("job_name")),
                        row.number("last_id"),
                        row.number("executions"))));
    }

    public List<PurgedInstance> begin(PurgeRule rule, List<PurgeCandidate> candidates) {
        return database.write(
                session -> {
                    for (var candidate : candidates) {
                        mark(session, rule, candidate);
                    }
                    return begun(session);
                },
                ReadBack.none());
    }

    private static void mark(Session session, PurgeRule rule, PurgeCandidate candidate) throws SQLException {
        session.sql("SELECT id FROM job_execution WHERE instance_id = :instance {lock}")
                .bind("instance", candidate.instanceId())
                .list(row -> row.number("id"));
        session.sql("""
                        UPDATE job_instance SET purging = :yes
                        WHERE id = :instance
                            AND NOT EXISTS (
                                SELECT 1 FROM hold h WHERE h.instance_id = job_instance.id AND h.released_at IS NULL)
                            AND NOT EXISTS (
                                SELECT 1 FROM job_execution e WHERE e.instance_id = job_instance.id
                                    AND (e.ended_at IS NULL OR e.ended_at >= :before OR e.status = 'UNKNOWN'
                                        OR e.id > :last))
                        """)
                .bind("yes", true)
                .bind("instance", candidate.instanceId())
                .bind("before", rule.endedBefore())
                .bind("last", candidate.lastExecution())
                .update();
    }

    private record Part(long instance, Optional<Long> execution, Optional<String> definition) {}

    /** Also what an earlier purge began and did not end. */
    private static List<PurgedInstance> begun(Session session) throws SQLException {
        var byInstance = new TreeMap<Long, List<Part>>();
        session.sql("""
                        SELECT i.id, e.id AS execution_id, e.definition_digest
                        FROM job_instance i LEFT JOIN job_execution e ON e.instance_id = i.id
                        WHERE i.purging ORDER BY i.id, e.id
                        """)
                .list(RetentionStore::part)
                .forEach(part -> byInstance
                        .computeIfAbsent(part.instance(), id -> new ArrayList<>())
                        .add(part));
        return byInstance.entrySet().stream()
                .map(entry -> instance(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Part part(Row row) throws SQLException {
        var execution = row.optionalNumber("execution_id");
        return new Part(
                row.number("id"),
                execution.isPresent() ? Optional.of(execution.getAsLong()) : Optional.empty(),
                row.optionalText("definition_digest"));
    }

    private static PurgedInstance instance(long id, List<Part> parts) {
        return new PurgedInstance(
                id,
                parts.stream().flatMap(part -> part.execution().stream()).toList(),
                parts.stream().flatMap(part -> part.definition().stream()).collect(Collectors.toSet()));
    }

    public long purge(int mostRows) {
        return database.write(session -> new Removal(session, mostRows).run(), ReadBack.none());
    }

    public long purgeQueue(PurgeRule rule, int most) {
        return database.write(
                session -> (long) session.sql("""
                                DELETE FROM launch_request WHERE id IN (
                                    SELECT id FROM launch_request WHERE ended_at < :before LIMIT :most)
                                """)
                        .bind("before", rule.endedBefore())
                        .bind("most", most)
                        .update(),
                ReadBack.none());
    }
}
