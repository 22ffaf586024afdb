package dev.weighlock.app.prove;

import dev.weighlock.app.prove.cancellation.CancellationCampaign;
import dev.weighlock.app.prove.crash.CrashCampaign;
import dev.weighlock.app.prove.soak.SoakCampaign;
import dev.weighlock.app.prove.stand.Campaign;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All campaigns that {@code wl prove} knows. */
public final class Campaigns {
    public static final List<Campaign> ALL =
            List.of(new CancellationCampaign(), new CrashCampaign(), new SoakCampaign());

    private Campaigns() {}

    static Optional<Campaign> named(String name) {
        return ALL.stream().filter(campaign -> campaign.name().equals(name)).findFirst();
    }

    static String names() {
        return ALL.stream().map(Campaign::name).collect(Collectors.joining(", "));
    }
}
