package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Many starts at once at the server's default isolation: none fails, whatever they have in common. */
class ManyStartsTest {
    private static final int STARTS = 500;
    private static final int THREADS = 32;

    private static LaunchRequest request(String job, int day, String node) {
        var definition = new StoredDefinition("%064x".formatted(job.hashCode()), new JobName(job), "java/1", job);
        var parameters = JobParameters.NONE.with("day", new ParameterValue.LongValue(day));
        return new LaunchRequest(
                new JobName(job), parameters, definition, "fingerprint", OptionalLong.empty(), node, List.of());
    }

    private static Callable<LaunchDecision> start(JobRepository repository, String job, int day, String node) {
        return () -> repository.createExecution(request(job, day, node));
    }

    /** A third each: one job, a few jobs, a job of its own; from two processes' repositories. */
    private static String job(int start) {
        return switch (start % 3) {
            case 0 -> "one";
            case 1 -> "few-" + start % 7;
            default -> "own-" + start;
        };
    }

    @Test
    void starts_ofDifferentInstances_allSucceed() throws Exception {
        try (var store = TestStore.onNewest()) {
            var decisions = race(store);

            assertThat(decisions).hasSize(STARTS).allMatch(LaunchDecision.Created.class::isInstance);
            var ids = new HashSet<Long>();
            decisions.forEach(decision ->
                    ids.add(((LaunchDecision.Created) decision).execution().id()));
            assertThat(ids).hasSize(STARTS);
            assertThat(store.number("SELECT sum(executions) FROM job")).isEqualTo(STARTS);
            assertThat(store.number("SELECT sum(instances) FROM job")).isEqualTo(STARTS);
            assertThat(store.number("SELECT executions FROM job WHERE name = 'one'"))
                    .isEqualTo(store.number("SELECT count(*) FROM job_execution e JOIN job j ON j.id = e.job_id"
                            + " WHERE j.name = 'one'"));
        }
    }

    private static List<LaunchDecision> race(TestStore store) throws Exception {
        try (var one = store.open();
                var two = store.open();
                var threads = Executors.newFixedThreadPool(2 * THREADS)) {
            var tasks = new ArrayList<Callable<LaunchDecision>>();
            var nodes = List.of(register(one), register(two));
            for (int start = 0; start < STARTS; start++) {
                tasks.add(start(start % 2 == 0 ? one : two, job(start), start, nodes.get(start % 2)));
            }
            var decisions = new ArrayList<LaunchDecision>();
            for (var future : threads.invokeAll(tasks)) {
                decisions.add(future.get());
            }
            return decisions;
        }
    }

    private static String register(JobRepository repository) {
        var node = new NodeInfo(UUID.randomUUID().toString(), "localhost", 1);
        repository.register(node);
        return node.id();
    }
}
