package dev.weighlock.batch.launch;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testing.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells when nodes have looked for dead owners. Each does so once when it begins, on a thread of its own: a test that
 * declares somebody dead before that look cannot know who recovers what.
 */
final class DeadOwnerLooks {
    /** With these a node looks once and, for as long as a test lasts, never again. */
    static final NodeSettings ONCE = new NodeSettings(Duration.ofMillis(100), Duration.ofHours(1));

    private final AtomicInteger looks = new AtomicInteger();

    /** The repository for nodes whose looks are counted. */
    JobRepository at(JobRepository repository) {
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(repository, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("deadExecutions")) {
                            looks.incrementAndGet();
                        }
                    }
                });
    }

    /** Until each of so many nodes, all with {@link #ONCE}, has had its look. */
    void awaitOf(int nodes) {
        Await.until(() -> looks.get() >= nodes);
    }
}
