package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.cancellation.Drains.Drain;
import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Drains with tasks that end in time, with tasks that do not, and one that a second request ends. */
final class DeadlineUnjoined implements Report {
    private static final int LEAST_HELD = 3;
    private static final int MORE_HELD = 2;
    private static final int HELD_AT_ESCALATION = 4;

    private final Seams seams;

    DeadlineUnjoined(Seams seams) {
        this.seams = seams;
    }

    @Override
    public String name() {
        return "deadline-unjoined";
    }

    @Override
    public String proves() {
        return "a drain that ends by its deadline reports exactly the tasks that still run, by phase, and none when all"
                + " ended; a second request ends the waiting at once with the same count";
    }

    @Override
    public String provesNot() {
        return "that work which outlives a drain is harmless: it is counted, not ended";
    }

    @Override
    public void run(Stand stand, Findings findings) throws Exception {
        Shape shape = Shape.of(stand.settings());
        Map<String, Object> points = new LinkedHashMap<>();
        try (JobRepository repository = stand.target().open(shape.pool())) {
            Drains drains = new Drains(repository, stand.job(name()), findings);
            int held = LEAST_HELD;
            for (Duration deadline : shape.deadlines()) {
                points.put(word(deadline), bothWays(drains, deadline, held, findings));
                held += MORE_HELD;
            }
            points.put("escalation", escalation(drains, shape.deadlines().getLast(), findings));
        }
        findings.fact("drains", points);
        for (TaskPhase phase : TaskPhase.values()) {
            if (!Drains.PHASES.contains(phase)) {
                findings.unexamined(phase.name(), "no task was left unjoined in this phase");
            }
        }
    }

    /** Either alone could be had by reporting a constant. */
    private Map<String, Object> bothWays(Drains drains, Duration deadline, int held, Findings findings)
            throws Exception {
        Drain completing = drains.completing(deadline, held);
        DrainResult all = seams.drain().apply(completing.result());
        findings.require(
                all instanceof DrainResult.Complete(int panicked) && panicked == 0,
                "the drain with a deadline of " + word(deadline) + " whose tasks all ended reported " + all);
        Drain expiring = drains.expiring(deadline, held);
        DrainResult some = seams.drain().apply(expiring.result());
        unjoined(some, held, false, "the drain with a deadline of " + word(deadline), findings);
        findings.require(
                expiring.took().compareTo(deadline) >= 0,
                "the drain gave its tasks up before its deadline of " + word(deadline));
        findings.latency("completing_drain_" + word(deadline), completing.took());
        findings.latency("expiring_drain_" + word(deadline), expiring.took());
        return Map.of("held", held, "completing", described(all), "expiring", described(some));
    }

    private Map<String, @Nullable Object> escalation(Drains drains, Duration deadline, Findings findings)
            throws Exception {
        Drain escalated = drains.escalated(deadline, HELD_AT_ESCALATION);
        DrainResult result = seams.drain().apply(escalated.result());
        unjoined(result, HELD_AT_ESCALATION, true, "the drain that a second request ended", findings);
        findings.require(
                escalated.took().compareTo(deadline) < 0,
                "the deadline of " + word(deadline) + " ended the waiting, not the second request");
        findings.latency("escalated_drain", escalated.took());
        Map<String, @Nullable Object> values = new LinkedHashMap<>(described(result));
        values.put("held", HELD_AT_ESCALATION);
        return values;
    }

    private static void unjoined(DrainResult result, int held, boolean byRequest, String what, Findings findings) {
        if (!(result instanceof DrainResult.Incomplete(int unjoined, var byPhase, int _, boolean escalated))) {
            findings.violation(what + " held " + held + " tasks and reported " + result);
            return;
        }
        findings.require(unjoined == held, what + " held " + held + " tasks and reported " + unjoined);
        findings.require(
                byPhase.equals(Drains.phasesOf(held)),
                what + " reported the phases " + byPhase + ", held were " + Drains.phasesOf(held));
        findings.require(
                escalated == byRequest,
                what + (escalated ? " reported an escalation that nobody asked for" : " reported no escalation"));
    }

    private static Map<String, Object> described(DrainResult result) {
        Map<String, Object> values = new LinkedHashMap<>();
        switch (result) {
            case DrainResult.Complete complete -> {
                values.put("complete", true);
                values.put("panicked", complete.panicked());
            }
            case DrainResult.Incomplete incomplete -> {
                values.put("complete", false);
                values.put("unjoined", incomplete.unjoined());
                values.put("by_phase", new TreeMap<>(incomplete.byPhase()));
                values.put("panicked", incomplete.panicked());
                values.put("escalated", incomplete.escalated());
            }
        }
        return values;
    }

    private static String word(Duration deadline) {
        return deadline.toMillis() % 1000 == 0 ? deadline.toSeconds() + "s" : deadline.toMillis() + "ms";
    }
}
