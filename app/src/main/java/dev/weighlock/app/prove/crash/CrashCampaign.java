package dev.weighlock.app.prove.crash;

import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import java.util.List;

/** Processes that are killed. */
public final class CrashCampaign implements Campaign {
    private final Class<?> owner;

    public CrashCampaign() {
        this(OwnerProgram.class);
    }

    /** @param owner the program that is killed */
    CrashCampaign(Class<?> owner) {
        this.owner = owner;
    }

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public String header() {
        return "a process that is killed loses nothing that it committed, and the next one repeats nothing";
    }

    @Override
    public List<Setting> settings() {
        return Shape.SETTINGS;
    }

    @Override
    public void check(Settings settings) {
        var _ = Shape.of(settings);
    }

    @Override
    public List<Report> reports() {
        return List.copyOf(jobs());
    }

    /** Those that have a point which is asked for. */
    @Override
    public List<Report> reports(Settings settings) {
        Shape shape = Shape.of(settings);
        return jobs().stream()
                .filter(job -> job.isAskedFor(shape))
                .<Report>map(job -> job)
                .toList();
    }

    private List<KilledJob> jobs() {
        return List.of(
                new KilledJob("chunk-job", KillPoint.CHUNK_JOB, KilledJob.Kind.CHUNKS, owner),
                new KilledJob("partitioned-job", KillPoint.PARTITIONED_JOB, KilledJob.Kind.PARTITIONS, owner),
                new KilledJob("stopped-job", KillPoint.STOPPED_JOB, KilledJob.Kind.STOPPED_PARTITIONS, owner));
    }
}
