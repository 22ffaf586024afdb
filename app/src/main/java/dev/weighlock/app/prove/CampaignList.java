package dev.weighlock.app.prove;

import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.terminal.Style;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.view.Documents;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What there is to prove, for people and for programs. */
record CampaignList(List<Campaign> campaigns) {
    void print(Terminal terminal) {
        for (Campaign campaign : campaigns) {
            terminal.line(terminal.styled(Style.STRONG, campaign.name()) + "  " + campaign.header());
            campaign.reports().forEach(report -> {
                terminal.line("  " + report.name());
                terminal.line("    proves      " + report.proves());
                terminal.line("    proves not  " + report.provesNot());
            });
            terminal.line("  settings (--set NAME=VALUE)");
            campaign.settings()
                    .forEach(setting -> terminal.line(
                            "    %-12s  %s (%s)".formatted(setting.name(), setting.meaning(), setting.standard())));
        }
    }

    Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.prove.list/1");
        document.put("campaigns", campaigns.stream().map(CampaignList::campaign).toList());
        return document;
    }

    private static Map<String, Object> campaign(Campaign campaign) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("campaign", campaign.name());
        values.put("what", campaign.header());
        values.put(
                "reports",
                campaign.reports().stream()
                        .map(report -> Map.of(
                                "report", report.name(),
                                "proves", report.proves(),
                                "proves_not", report.provesNot()))
                        .toList());
        Map<String, String> standards = new LinkedHashMap<>();
        campaign.settings().forEach(setting -> standards.put(setting.name(), setting.standard()));
        values.put("settings", standards);
        return values;
    }
}
