package dev.weighlock.app.prove.crash;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.batch.repository.JobRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One instance for each point; each is killed there, again and again, then goes on to its end. */
final class KilledJob implements Report {
    /** What the job is. */
    enum Kind {
        CHUNKS("a chunk step"),
        PARTITIONS("a partitioned chunk step"),
        STOPPED_PARTITIONS("a partitioned chunk step that is being stopped");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    private final String name;
    private final List<KillPoint> points;
    private final Kind kind;
    private final Class<?> program;

    /** @param program of the owner, which is killed */
    KilledJob(String name, List<KillPoint> points, Kind kind, Class<?> program) {
        this.name = name;
        this.points = points;
        this.kind = kind;
        this.program = program;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String proves() {
        return "a process that is killed (SIGKILL) at a commit point of " + kind.words
                + ", and started again on the same host, finishes the instance: every row once, counts and"
                + " statuses true, the attempts of killed processes FAILED as OWNER_LOST";
    }

    @Override
    public String provesNot() {
        return "that the database survives the loss of its host; a recovery by another host, which waits for the lease;"
                + " files that steps write";
    }

    /** Whether one of its points is. */
    boolean isAskedFor(Shape shape) {
        return points.stream().anyMatch(shape::includes);
    }

    @Override
    public void run(Stand stand, Findings findings) throws Exception {
        Shape shape = Shape.of(stand.settings());
        Numbers.makeTable(stand.target());
        List<Map<String, Object>> examined = new ArrayList<>();
        long kills = 0;
        try (JobRepository repository = stand.target().open(2)) {
            for (KillPoint point : points) {
                if (shape.includes(point)) {
                    KilledInstance one =
                            new KilledInstance(stand, shape, findings, program, told(stand, shape, point), point);
                    kills += one.killAndFinish(repository);
                    examined.add(one.document());
                }
            }
        }
        findings.require(!examined.isEmpty(), "none of this report's points was asked for");
        findings.count("points", examined.size());
        findings.count("processes_killed", kills);
        findings.fact("points_examined", examined);
    }

    private OwnerProgram.Told told(Stand stand, Shape shape, KillPoint point) {
        return new OwnerProgram.Told(
                stand.target().url(),
                stand.folder(),
                stand.job(name),
                point.name(),
                shape.numbers(),
                shape.chunk(),
                kind == Kind.CHUNKS ? 0 : shape.partitions(),
                kind == Kind.STOPPED_PARTITIONS);
    }
}
