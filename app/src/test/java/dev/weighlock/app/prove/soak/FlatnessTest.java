package dev.weighlock.app.prove.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.prove.stand.Findings;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What was not told is not flat. */
class FlatnessTest {
    @Test
    void handlesThatTheSystemDoesNotTell_areUnexamined() {
        Findings findings = new Findings();

        var _ = new Flatness(Collections.nCopies(8, new Sample(5, -1, 2, 0, 1, 1)), findings).judged();

        assertThat(findings.unexamined()).containsOnlyKeys("handles");
        assertThat(findings.violations()).isEmpty();
    }
}
