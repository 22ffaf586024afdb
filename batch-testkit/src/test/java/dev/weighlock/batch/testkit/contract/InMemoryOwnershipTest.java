package dev.weighlock.batch.testkit.contract;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;

/** Take-over and fencing in memory, where a node counts as a process and dies when its view is closed. */
class InMemoryOwnershipTest extends OwnershipContract {
    @Override
    RepositoryStore newStore() {
        var shared = new InMemoryJobRepository();
        return new RepositoryStore() {
            @Override
            public JobRepository open() {
                return new View(shared).repository();
            }

            @Override
            public void close() {}
        };
    }

    /** What one process would see. */
    private static final class View {
        private final InMemoryJobRepository shared;
        private String node = "";

        View(InMemoryJobRepository shared) {
            this.shared = shared;
        }

        JobRepository repository() {
            return (JobRepository) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "register" -> node = ((NodeInfo) arguments[0]).id();
                            case "close" -> shared.declareDead(node);
                            case "pendingStops" -> {
                                return ownStops();
                            }
                            default -> {}
                        }
                        try {
                            return method.invoke(shared, arguments);
                        } catch (InvocationTargetException e) {
                            throw Objects.requireNonNull(e.getCause());
                        }
                    });
        }

        private List<StopRequest> ownStops() {
            return shared.pendingStops().stream()
                    .filter(request -> shared.execution(request.executionId())
                            .orElseThrow()
                            .ownerNode()
                            .equals(node))
                    .toList();
        }
    }
}
