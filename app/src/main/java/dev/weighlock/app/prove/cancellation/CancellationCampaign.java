package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import java.util.List;

/** Stops, drains and restarts, as an outsider sees them in the database. */
public final class CancellationCampaign implements Campaign {
    private final Seams seams;

    public CancellationCampaign() {
        this(Seams.NONE);
    }

    CancellationCampaign(Seams seams) {
        this.seams = seams;
    }

    @Override
    public String name() {
        return "cancellation";
    }

    @Override
    public String header() {
        return "a stop ends what runs, keeps what is committed, and says the truth about it";
    }

    @Override
    public List<Setting> settings() {
        return Shape.SETTINGS;
    }

    @Override
    public void check(Settings settings) {
        Shape.of(settings);
    }

    @Override
    public List<Report> reports() {
        return List.of(
                new OperatorStop(seams),
                new PhaseSeparation(seams),
                new DeadlineUnjoined(seams),
                new RestartAfterCancellation(seams));
    }
}
