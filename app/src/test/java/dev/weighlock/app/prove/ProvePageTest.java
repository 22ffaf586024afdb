package dev.weighlock.app.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of the campaigns says what the list says. */
class ProvePageTest {
    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("wl"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no wl above the current folder");
        }
        return folder.resolve("docs/prove.md");
    }

    @Test
    void page_hasASectionForEachCampaign_withItsReports() throws Exception {
        String page = Files.readString(page());

        for (Campaign campaign : Campaigns.ALL) {
            String[] parts = page.split("\n## " + campaign.name() + "\n", 2);
            assertThat(parts).as(campaign.name()).hasSize(2);
            String section = parts[1].split("\n## ", 2)[0];
            assertThat(section.lines().map(line -> line.replace("**", "")).filter(line -> line.startsWith("| `")))
                    .extracting(line -> line.split("`", 3)[1])
                    .containsExactlyElementsOf(
                            campaign.reports().stream().map(Report::name).toList());
        }
    }

    @Test
    void everyReport_saysWhatItProvesAndWhatNot() {
        assertThat(Campaigns.ALL.stream().flatMap(ProvePageTest::texts))
                .allSatisfy(text -> assertThat(text).isNotBlank());
    }

    private static Stream<String> texts(Campaign campaign) {
        return campaign.reports().stream().flatMap(report -> Stream.of(report.proves(), report.provesNot()));
    }
}
