package dev.weighlock.batch.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Long random histories of the gate against a model of three states and a map. */
class TaskGateModelTest {
    private static final int STEPS = 2_000;
    private static final long SEED = 20261200;
    private static final List<TaskPhase> PHASES = List.of(TaskPhase.values());

    private final TaskGate gate = new TaskGate();
    private final Map<OwnedTask, TaskPhase> running = new LinkedHashMap<>();
    private final List<OwnedTask> over = new ArrayList<>();
    private int requests;
    private int panicked;

    @RepeatedTest(20)
    void gate_randomHistory_answersAsTheModel(RepetitionInfo one) throws Exception {
        history(Long.getLong("weighlock.seed", SEED + one.getCurrentRepetition()));
    }

    @Tag("long")
    @RepeatedTest(20)
    void gate_freshHistory_answersAsTheModel() throws Exception {
        history(new Random().nextLong());
    }

    private void history(long seed) throws Exception {
        System.out.println("task gate seed " + seed);
        var random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            act(random);
            assertThat(gate.join(Duration.ZERO))
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(expected());
        }
    }

    private void act(Random random) {
        switch (random.nextInt(40)) {
            case 0 -> request();
            case 1 -> {
                assertThat(gate.requestIfAccepting()).isEqualTo(requests == 0);
                requests = Math.max(requests, 1);
            }
            case 2 -> {
                gate.panicked();
                panicked++;
            }
            case 3, 4, 5, 6, 7 -> assertThat(isAccepting()).isEqualTo(requests == 0);
            case 8, 9, 10, 11, 12, 13 -> add(gate.beginChild(phase(random)));
            case 14, 15, 16 -> endAgain(random);
            case 17, 18, 19, 20, 21, 22, 23 -> end(random);
            case 24, 25, 26, 27, 28, 29 -> enter(random);
            default -> begin(random);
        }
    }

    private void request() {
        assertThat(gate.request())
                .isEqualTo(
                        switch (requests) {
                            case 0 -> ShutdownRequest.INITIATED;
                            case 1 -> ShutdownRequest.ESCALATED;
                            default -> ShutdownRequest.ALREADY_ESCALATED;
                        });
        requests++;
    }

    private boolean isAccepting() {
        try {
            gate.ensureAccepting();
            return true;
        } catch (BatchException e) {
            return false;
        }
    }

    private void begin(Random random) {
        try {
            add(gate.begin(phase(random)));
            assertThat(requests).isZero();
        } catch (BatchException e) {
            assertThat(requests).isPositive();
        }
    }

    private void add(OwnedTask task) {
        running.put(task, task.phase());
    }

    private void enter(Random random) {
        if (!running.isEmpty()) {
            var task = any(random);
            var phase = phase(random);
            task.enter(phase);
            running.put(task, phase);
        }
    }

    private void end(Random random) {
        if (!running.isEmpty()) {
            var task = any(random);
            task.close();
            running.remove(task);
            over.add(task);
        }
    }

    private void endAgain(Random random) {
        if (!over.isEmpty()) {
            over.get(random.nextInt(over.size())).close();
        }
    }

    private OwnedTask any(Random random) {
        return new ArrayList<>(running.keySet()).get(random.nextInt(running.size()));
    }

    private static TaskPhase phase(Random random) {
        return PHASES.get(random.nextInt(PHASES.size()));
    }

    private DrainResult expected() {
        if (running.isEmpty()) {
            return new DrainResult.Complete(panicked);
        }
        var byPhase = new EnumMap<TaskPhase, Integer>(TaskPhase.class);
        running.values().forEach(phase -> byPhase.merge(phase, 1, Integer::sum));
        return new DrainResult.Incomplete(running.size(), byPhase, panicked, requests >= 2);
    }

    /** The record itself refuses phases that do not sum to the number of tasks. */
    @Test
    void standing_whilePhasesChange_alwaysSumsToTheTasksThatRun() throws Exception {
        var go = new AtomicBoolean(true);
        var tasks =
                List.of(gate.begin(TaskPhase.TASKLET), gate.begin(TaskPhase.TASKLET), gate.begin(TaskPhase.TASKLET));
        var changing = Thread.ofPlatform().start(() -> {
            var random = new Random(1);
            while (go.get()) {
                tasks.forEach(task -> task.enter(phase(random)));
            }
        });
        try {
            for (int i = 0; i < 50_000; i++) {
                assertThat(((DrainResult.Incomplete) gate.standing()).unjoined())
                        .isEqualTo(tasks.size());
            }
        } finally {
            go.set(false);
            changing.join();
        }
    }
}
