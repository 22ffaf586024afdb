package dev.weighlock.jobs.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredParametersTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-30T23:30:00Z"), ZoneOffset.UTC);

    private static ParameterDeclaration declared(String name, ParameterType type) {
        return new ParameterDeclaration(name, type, true, Optional.empty(), ZoneOffset.UTC);
    }

    private static JobParameters values(DeclaredParameters declared, Map<String, String> given) {
        return switch (declared.resolve(given, CLOCK)) {
            case DeclaredParameters.Resolved.Values values -> values.parameters();
            case DeclaredParameters.Resolved.Refused refused -> throw new AssertionError(refused);
        };
    }

    private static List<String> problems(DeclaredParameters declared, Map<String, String> given) {
        return switch (declared.resolve(given, CLOCK)) {
            case DeclaredParameters.Resolved.Values _ -> List.of();
            case DeclaredParameters.Resolved.Refused refused -> refused.problems();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "STRING,any text,any text",
        "LONG,42,42",
        "DECIMAL,12.50,12.5",
        "BOOLEAN,true,true",
        "DATE,2026-11-30,2026-11-30",
        "DATE_TIME,2026-11-30T06:00,2026-11-30T06:00",
        "INSTANT,2026-11-30T06:00:00Z,2026-11-30T06:00:00Z",
        "DOUBLE,0.5,0.5",
        "SECRET,env:TOKEN,env:TOKEN"
    })
    void resolve_valueOfEveryType_isRead(ParameterType type, String text, String stored) {
        DeclaredParameters declared = new DeclaredParameters(List.of(
                new ParameterDeclaration("x", type, type != ParameterType.SECRET, Optional.empty(), ZoneOffset.UTC)));

        assertThat(values(declared, Map.of("x", text)).value("x"))
                .map(ParameterValue::text)
                .contains(stored);
    }

    @ParameterizedTest
    @CsvSource({
        "LONG,4.2",
        "DECIMAL,12;50",
        "BOOLEAN,yes",
        "DATE,30.11.2026",
        "DATE_TIME,2026-11-30",
        "INSTANT,now",
        "DOUBLE,NaN",
        "SECRET,hunter2"
    })
    void resolve_valueOfAnotherType_isRefusedWithoutShowingIt(ParameterType type, String text) {
        List<String> problems = problems(new DeclaredParameters(List.of(declared("x", type))), Map.of("x", text));

        assertThat(problems)
                .containsExactly(
                        "the value of parameter 'x' is no %s; write %s".formatted(type.label(), type.example()));
    }

    @Test
    void resolve_valueThatIsLongerThanWhatIsKept_saysSo() {
        DeclaredParameters declared = new DeclaredParameters(
                List.of(declared("x", ParameterType.STRING), declared("d", ParameterType.DECIMAL)));

        assertThat(problems(declared, Map.of("x", "a".repeat(64 * 1024 + 1), "d", "1".repeat(1_001))))
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith("the value of parameter 'x' cannot be kept: ")
                                .contains("limited to 64 KiB")
                                .hasSizeLessThan(200),
                        decimal -> assertThat(decimal).contains("'d' cannot be kept", "limited to 1000 digits"));
    }

    @Test
    void resolve_today_isTheDateInTheDeclaredZone() {
        DeclaredParameters declared = new DeclaredParameters(List.of(new ParameterDeclaration(
                "day", ParameterType.DATE, true, Optional.of("today"), ZoneId.of("Europe/Berlin"))));

        assertThat(values(declared, Map.of()).value("day"))
                .contains(new ParameterValue.DateValue(LocalDate.of(2026, 12, 1)));
    }

    @Test
    void resolve_severalProblems_areAllSaid() {
        DeclaredParameters declared = new DeclaredParameters(
                List.of(declared("day", ParameterType.DATE), declared("region", ParameterType.STRING)));

        assertThat(problems(declared, Map.of("regoin", "x", "day", "monday")))
                .containsExactly(
                        "unknown parameter 'regoin'; did you mean 'region'?",
                        "the value of parameter 'day' is no date; write a date such as 2026-11-30",
                        "parameter 'region' (string) has no value; give it with -p region=VALUE");
    }

    @Test
    void resolve_hostileText_staysOneStringValue() {
        String hostile = "'; DROP TABLE t; --\n\"\u202e\uD83D\uDE00";

        assertThat(values(new DeclaredParameters(List.of(declared("x", ParameterType.STRING))), Map.of("x", hostile))
                        .value("x"))
                .contains(new ParameterValue.StringValue(hostile));
    }
}
