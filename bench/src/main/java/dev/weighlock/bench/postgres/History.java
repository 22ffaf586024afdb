package dev.weighlock.bench.postgres;

import dev.weighlock.batch.ExecutionContext;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Executions of the past, written into a repository's tables by the server itself. */
final class History {
    private static final int CHUNK = 10;

    /** What must not grow with history. */
    static final Map<String, Traffic.Work> WORK = works();

    private History() {}

    /** A repository and its database. */
    record Side(Place place, Weighlock runtime) {}

    private static Map<String, Traffic.Work> works() {
        Map<String, Traffic.Work> works = new LinkedHashMap<>();
        works.put("no-op job", Contender::jobs);
        works.put("chunk", (side, chunks) -> side.items((long) chunks * CHUNK, CHUNK, false));
        works.put("partition", (side, count) -> side.partitions(count, 1, false));
        works.put("stopped job", (side, count) -> ((Weighlock) side).stops(count));
        return works;
    }

    /** Of twenty jobs, four attempts an instance, each with a failed step, a decision and a partition. */
    static void load(BenchServer server, Place place, int executions) throws SQLException {
        server.run(place, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public");
        for (String statement : executions == 0 ? List.<String>of() : statements(executions)) {
            server.run(place, "SET search_path = weighlock, public; " + statement);
        }
        server.run(place, "VACUUM ANALYZE");
    }

    private static List<String> statements(int executions) {
        String context = "'" + ExecutionContext.EMPTY.toJson() + "'";
        return List.of(
                "INSERT INTO definition (digest, job_name, format, content) VALUES ('d', 'old', 'java/1', 'x')",
                "INSERT INTO job (name) SELECT 'old-' || g FROM generate_series(1, 20) g",
                "INSERT INTO job_instance (job_id, identity) SELECT j.id, 'i' || g FROM job j, generate_series(1, "
                        + executions / 80 + ") g WHERE j.name LIKE 'old-%'",
                "INSERT INTO job_execution (job_id, instance_id, attempt, parameters, definition_digest, fingerprint,"
                        + " status, exit_code, version, epoch, owner_node, launch_key, context, created_at, ended_at,"
                        + " failure_category, failure_id) SELECT i.job_id, i.id, a, '[]', 'd', 'p', 'FAILED', 'FAILED',"
                        + " 3, a, (SELECT id FROM node LIMIT 1), gen_random_uuid(), " + context
                        + ", now(), now(), 'STEP_FAILED', 'f' FROM job_instance i JOIN job j ON j.id = i.job_id,"
                        + " generate_series(1, 4) a WHERE j.name LIKE 'old-%'",
                "INSERT INTO flow_decision (instance_id, execution_id, node, exit_code, target, decided_at)"
                        + " SELECT instance_id, id, 'load', 'FAILED', 'FAIL', created_at FROM job_execution"
                        + " WHERE definition_digest = 'd'",
                "INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code, version,"
                        + " epoch, context, partitioned, started_at, ended_at, failure_category, failure_id)"
                        + " SELECT id, instance_id, 'load', attempt, 'FAILED', 'FAILED', 2, epoch, context, true,"
                        + " created_at, ended_at, failure_category, failure_id FROM job_execution"
                        + " WHERE definition_digest = 'd'",
                "INSERT INTO partition_execution (step_execution_id, ordinal, partition_key, input, context, status,"
                        + " exit_code, failure_category, failure_id)"
                        + " SELECT id, 0, 'k0', context, context, 'FAILED', 'FAILED', 'STEP_FAILED', 'f'"
                        + " FROM step_execution WHERE step_name = 'load' AND partitioned");
    }

    /** Statements of one unit of work by the server's count, transaction brackets and what goes by time left out. */
    static double statements(BenchServer server, Side side, int units, Traffic.Work work) throws Exception {
        work.run(side.runtime(), 1);
        long begun = counted(server, side.place());
        work.run(side.runtime(), units);
        long little = counted(server, side.place());
        work.run(side.runtime(), 3 * units);
        return ((counted(server, side.place()) - little) - (little - begun)) / (2.0 * units);
    }

    private static long counted(BenchServer server, Place place) throws SQLException {
        return server.number(place, """
                SELECT coalesce(sum(calls), 0) FROM public.pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
                WHERE d.datname = current_database()
                    AND query ~ '(job|instance|execution|decision|definition|audit|partition)'
                    AND query !~ '(pg_stat_|FROM node|JOIN node|UPDATE node|INTO node|stop_requested_at IS NOT NULL)'
                """);
    }
}
