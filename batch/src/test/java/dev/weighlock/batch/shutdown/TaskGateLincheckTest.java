package dev.weighlock.batch.shutdown;

import dev.weighlock.batch.BatchException;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Every interleaving of a few calls gives what some order of whole calls would give. */
class TaskGateLincheckTest {
    @Test
    void gate_anyInterleaving_isLinearizable() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .check(Gate.class);
    }

    /** The gate with one task at work. */
    public static class Gate {
        private final TaskGate gate = new TaskGate();
        private final OwnedTask first = gate.begin(TaskPhase.TASKLET);

        @Operation
        public boolean ensureAccepting() {
            try {
                gate.ensureAccepting();
                return true;
            } catch (BatchException shuttingDown) {
                return false;
            }
        }

        @Operation
        public boolean begin() {
            try {
                var unused = gate.begin(TaskPhase.TRANSACTION);
                return unused.phase() == TaskPhase.TRANSACTION;
            } catch (BatchException shuttingDown) {
                return false;
            }
        }

        @Operation
        public void end() {
            first.close();
        }

        @Operation
        public String request() {
            return gate.request().name();
        }

        @Operation
        public boolean requestIfAccepting() {
            return gate.requestIfAccepting();
        }

        @Operation
        public String join() throws InterruptedException {
            return gate.join(Duration.ZERO).toString();
        }
    }
}
