package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.batch.run.RunningJob;
import java.util.List;
import java.util.Set;

/** A partitioned job is stopped by an operator while it works. */
final class OperatorStop implements Report {
    private final Seams seams;

    OperatorStop(Seams seams) {
        this.seams = seams;
    }

    @Override
    public String name() {
        return "operator-stop";
    }

    @Override
    public String proves() {
        return "an operator's stop is seen as STOPPING, then as STOPPED; nothing runs then; what was committed before"
                + " stays; no partition is lost or left begun";
    }

    @Override
    public String provesNot() {
        return "how quick a stop must be; what happens when the process is killed";
    }

    @Override
    public void run(Stand stand, Findings findings) throws Exception {
        Shape shape = Shape.of(stand.settings());
        try (Scene scene = new Scene(stand, shape, findings, seams, name(), Phase.ASYNC, null)) {
            RunningJob run = scene.launch();
            scene.awaitCommitted(run);
            Set<String> committedBefore = scene.recorded(run).completed();
            Scene.Request request = scene.requestStop(run);
            scene.awaitEnd(run);
            Recorded recorded = scene.recorded(run);
            List<Seen> seen = seams.seen().apply(scene.watched());

            Judge judge = new Judge(findings, "the stopped attempt");
            findings.require(request.accepted(), "the stop request was refused");
            judge.stopped(recorded);
            judge.whole(recorded, shape.keys());
            judge.preserved(recorded, committedBefore);
            judge.inOrder(seen);
            judge.nothingRuns(seen, recorded);
            judge.counted(scene.occupancy(), recorded.bodies().size());
            judge.instants(recorded.execution());

            Figures figures = new Figures(findings, "");
            figures.seen(request.sentAt(), seen);
            figures.stored(recorded.execution());
            figures.workers(scene.occupancy());
            findings.count("partitions_committed_before", committedBefore.size());
            findings.count("partitions_committed_after", recorded.completed().size());
            findings.fact("request", Figures.request(scene, request, shape));
            findings.fact("partitions_by_status", recorded.byStatus());
            findings.fact("watcher", scene.watcher());
            findings.unexamined("blocking_and_transaction", "the report phase-separation stops work in these phases");
            findings.unexamined("owner_that_dies", "a stop needs its owner; a dead one is taken over");
        }
    }
}
