package dev.weighlock.app.prove.soak;

import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import java.util.List;

/** One process that works on and on. */
public final class SoakCampaign implements Campaign {
    private final Runnable besides;

    public SoakCampaign() {
        this(() -> {});
    }

    /** @param besides is done once a cycle, for a fault to be planted */
    SoakCampaign(Runnable besides) {
        this.besides = besides;
    }

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String header() {
        return "a process that runs, fails and restarts jobs again and again takes no more and more of anything";
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
        return List.of(new Cycles(besides));
    }
}
