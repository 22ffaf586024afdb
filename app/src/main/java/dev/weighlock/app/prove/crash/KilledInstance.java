package dev.weighlock.app.prove.crash;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.batch.repository.JobRepository;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What happened to one instance at one point. For one thread. */
final class KilledInstance {
    private final Stand stand;
    private final Shape shape;
    private final Findings findings;
    private final Class<?> program;
    private final OwnerProgram.Told told;
    private final KillPoint point;
    private final List<Long> committedAtKills = new ArrayList<>();
    private long lastMillis;

    KilledInstance(
            Stand stand, Shape shape, Findings findings, Class<?> program, OwnerProgram.Told told, KillPoint point) {
        this.stand = stand;
        this.shape = shape;
        this.findings = findings;
        this.program = program;
        this.told = told;
        this.point = point;
    }

    /** Returns how often it was killed. */
    int killAndFinish(JobRepository repository) throws IOException, SQLException, InterruptedException {
        boolean over = false;
        while (!over && committedAtKills.size() < shape.kills()) {
            over = !isKilled();
        }
        int kills = committedAtKills.size();
        findings.require(kills > 0, about() + "no process came there, so nothing is proved");
        finish();
        new Judge(findings, about(), repository).judge(told, kills, Numbers.written(stand.target(), told.instance()));
        return kills;
    }

    private String about() {
        return point.name() + ": ";
    }

    private boolean isKilled() throws IOException, SQLException, InterruptedException {
        try (OwnerProcess process = OwnerProcess.start(stand, program, told, point)) {
            if (!process.killAtItsPoint(shape.limit())) {
                findings.require(
                        process.endedWell(told),
                        about() + "process " + (committedAtKills.size() + 1)
                                + " neither came to its point nor ended well: " + process.said());
                return false;
            }
        }
        Numbers.Written written = Numbers.written(stand.target(), told.instance());
        committedAtKills.add(written.rows());
        findings.require(
                written.rows() == written.different(),
                about() + "rows are there twice after kill " + committedAtKills.size() + ": " + written);
        return true;
    }

    private void finish() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (OwnerProcess process = OwnerProcess.start(stand, program, told.toTheEnd(), null)) {
            findings.require(
                    process.completes(shape.limit()),
                    about() + "the process after the last kill did not complete the job: " + process.said());
        }
        lastMillis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }

    Map<String, Object> document() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("point", point.name());
        values.put("turn", point.turn());
        values.put("kills", committedAtKills.size());
        values.put("rows_committed_at_the_kills", List.copyOf(committedAtKills));
        values.put("last_process_took_millis", lastMillis);
        return values;
    }
}
