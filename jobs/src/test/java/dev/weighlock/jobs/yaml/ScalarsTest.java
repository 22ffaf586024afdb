package dev.weighlock.jobs.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarsTest {
    @ParameterizedTest
    @CsvSource({"200ms,200", "5s,5000", "10m,600000", "2h,7200000", "30d,2592000000"})
    void duration_ofEveryUnit_isRead(String text, long millis) {
        assertThat(Scalars.DURATION_TEXT.parse(text)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 s", "-5s", "5S", "1.5s", "s", "5sec", "99999999999999999999s"})
    void duration_ofAnotherForm_isRefused(String text) {
        assertThat(Scalars.DURATION_TEXT.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1B,1", "1KiB,1024", "64MiB,67108864", "1GiB,1073741824", "2TiB,2199023255552"})
    void size_ofEveryUnit_isRead(String text, long bytes) {
        assertThat(Scalars.SIZE_TEXT.parse(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1MB", "1 MiB", "-1MiB", "1mib", "999999999999999TiB"})
    void size_ofAnotherForm_isRefused(String text) {
        assertThat(Scalars.SIZE_TEXT.parse(text)).isEmpty();
    }

    @Test
    void name_atTheBoundInBytes_isRead() {
        assertThat(Scalars.name(4).parse("äö")).isPresent();
        assertThat(Scalars.name(4).parse("äöa")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "a\nb", "a\u0000"})
    void name_againstTheRules_isRefused(String text) {
        assertThat(Scalars.name(64).parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "paramters,parameters",
        "allowStartIfComplete,allow_start_if_complete",
        "stpes,steps",
        "Flow,flow",
        "maxrows,max_rows"
    })
    void nearest_ofAMistypedKey_isTheMeantOne(String typed, String meant) {
        List<String> known = List.of("parameters", "steps", "flow", "allow_start_if_complete", "max_rows");

        assertThat(NearestName.of(typed, known)).contains(meant);
    }

    @Test
    void nearest_ofSomethingElse_isEmpty() {
        assertThat(NearestName.of("banana", List.of("steps", "flow"))).isEmpty();
        assertThat(NearestName.of("x".repeat(1000), List.of("steps"))).isEmpty();
    }
}
