package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Bodies.Body;
import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.run.RunningJob;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A stopped job is launched again. */
final class RestartAfterCancellation implements Report {
    private final Seams seams;

    RestartAfterCancellation(Seams seams) {
        this.seams = seams;
    }

    @Override
    public String name() {
        return "restart-after-cancellation";
    }

    @Override
    public String proves() {
        return "a restart after a stop is a new execution of the same instance, runs no committed partition again,"
                + " and completes";
    }

    @Override
    public String provesNot() {
        return "a restart after a crash; that a body which was stopped half-way has no effects of its own";
    }

    @Override
    public void run(Stand stand, Findings findings) throws Exception {
        Shape shape = Shape.of(stand.settings());
        try (Scene scene = new Scene(stand, shape, findings, seams, name(), Phase.ASYNC, null)) {
            RunningJob first = scene.launch();
            scene.awaitCommitted(first);
            Scene.Request request = scene.requestStop(first);
            scene.awaitEnd(first);
            Recorded stopped = scene.recorded(first);
            findings.require(request.accepted(), "the stop request was refused");
            new Judge(findings, "the stopped attempt").stopped(stopped);
            if (stopped.execution().status() != BatchStatus.STOPPED) {
                return;
            }

            long begun = System.nanoTime();
            RunningJob second = scene.launch();
            scene.awaitEnd(second);
            findings.latency("restart_took", Duration.ofNanos(System.nanoTime() - begun));
            Recorded completed = scene.recorded(second);
            List<Seen> seen = seams.seen().apply(scene.watched());

            judge(new Judge(findings, "the stopped attempt"), stopped, shape, seen);
            judge(new Judge(findings, "the restart"), completed, shape, seen);
            new Judge(findings, "the two attempts")
                    .counted(
                            scene.occupancy(),
                            stopped.bodies().size() + completed.bodies().size());
            compare(findings, stopped, completed);
            new Figures(findings, "").workers(scene.occupancy());
            findings.fact("request", Figures.request(scene, request, shape));
            findings.fact("watcher", scene.watcher());
            findings.unexamined("restart_by_another_process", "the node that was stopped restarts the job itself");
        }
    }

    private static void judge(Judge judge, Recorded recorded, Shape shape, List<Seen> seen) {
        judge.whole(recorded, shape.keys());
        judge.preserved(recorded, Set.of());
        judge.nothingRuns(
                seen.stream()
                        .filter(one -> one.execution() == recorded.execution().id())
                        .toList(),
                recorded);
    }

    private static void compare(Findings findings, Recorded stopped, Recorded completed) {
        Set<String> committed = stopped.completed();
        Set<String> ranAgain =
                completed.bodies().stream().map(Body::key).collect(Collectors.toCollection(TreeSet::new));
        Set<String> committedThatRan = new TreeSet<>(ranAgain);
        committedThatRan.retainAll(committed);
        Set<String> carriedOver = completed.partitions().stream()
                .filter(PartitionExecution::carriedOver)
                .map(PartitionExecution::key)
                .collect(Collectors.toCollection(TreeSet::new));

        findings.require(
                !committed.isEmpty(), "the stopped attempt had committed nothing that a restart could have spared");
        findings.require(
                committedThatRan.isEmpty(),
                "the restart ran partitions again that the stopped attempt had committed: " + committedThatRan);
        findings.require(
                carriedOver.equals(committed),
                "the restart carried " + carriedOver + " over, committed were " + committed);
        findings.require(
                stopped.execution().instance().id()
                        == completed.execution().instance().id(),
                "the restart made a new instance");
        findings.require(
                stopped.execution().id() != completed.execution().id()
                        && completed.execution().attempt()
                                == stopped.execution().attempt() + 1,
                "the restart is no new attempt of its instance");
        findings.require(
                completed.execution().status() == BatchStatus.COMPLETED,
                "the restart ended as " + completed.execution().status() + ", not as COMPLETED");

        findings.count("partitions_committed_by_the_stopped_attempt", committed.size());
        findings.count("partitions_carried_over", carriedOver.size());
        findings.count("partitions_run_by_the_restart", ranAgain.size());
        findings.count("committed_partitions_run_again", committedThatRan.size());
        findings.fact("stopped_attempt", stopped.byStatus());
        findings.fact("restart", completed.byStatus());
    }
}
