package dev.weighlock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.JobParameters.Parameter;
import dev.weighlock.batch.ParameterValue.DateTimeValue;
import dev.weighlock.batch.ParameterValue.DecimalValue;
import dev.weighlock.batch.ParameterValue.DoubleValue;
import dev.weighlock.batch.ParameterValue.InstantValue;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.ParameterValue.SecretReference;
import dev.weighlock.batch.ParameterValue.StringValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

class JobParametersTest {
    private static String identity(ParameterValue value) {
        return JobParameters.NONE.with("p", value).identity();
    }

    @Test
    void identity_instantsOneNanosecondApart_isOneAtStoredPrecision() {
        var at = Instant.parse("2026-11-30T10:15:30.123456Z");

        assertThat(identity(new InstantValue(at.plusNanos(1)))).isEqualTo(identity(new InstantValue(at)));
        assertThat(identity(new InstantValue(at.plusNanos(1000)))).isNotEqualTo(identity(new InstantValue(at)));
    }

    @Test
    void identity_oneInstantInTwoZones_isOneAndItsWallClocksAreTwo() {
        var berlin = ZonedDateTime.of(2026, 11, 30, 11, 0, 0, 0, ZoneId.of("Europe/Berlin"));
        var london = berlin.withZoneSameInstant(ZoneId.of("Europe/London"));

        assertThat(identity(new InstantValue(berlin.toInstant())))
                .isEqualTo(identity(new InstantValue(london.toInstant())));
        assertThat(identity(new DateTimeValue(berlin.toLocalDateTime())))
                .isNotEqualTo(identity(new DateTimeValue(london.toLocalDateTime())));
        assertThat(identity(new DateTimeValue(berlin.toLocalDateTime())))
                .isNotEqualTo(identity(new InstantValue(berlin.toInstant())));
    }

    @Test
    void identity_equalDecimalsOfDifferentScale_isOne() {
        var one = identity(new DecimalValue(new BigDecimal("1.0")));

        assertThat(identity(new DecimalValue(new BigDecimal("1.00")))).isEqualTo(one);
        assertThat(identity(new DecimalValue(new BigDecimal("1.01")))).isNotEqualTo(one);
        assertThat(identity(new DecimalValue(new BigDecimal("1E+1"))))
                .isEqualTo(identity(new DecimalValue(new BigDecimal("10"))));
    }

    @Test
    void identity_sameTextOfAnotherType_isAnother() {
        assertThat(identity(new LongValue(1))).isNotEqualTo(identity(new StringValue("1")));
        assertThat(identity(new DoubleValue(-0.0))).isEqualTo(identity(new DoubleValue(0.0)));
    }

    @Test
    void identity_nonIdentifyingChange_staysTheSame() {
        var base = JobParameters.NONE.with("a", new LongValue(1));
        var noted = base.with("note", new Parameter(new StringValue("x"), false));

        assertThat(noted.identity()).isEqualTo(base.identity());
        assertThat(noted).isNotEqualTo(base);
    }

    @Test
    void identity_orderAndBoundariesOfNames_areHeldApart() {
        var ab = JobParameters.NONE.with("a", new StringValue("1")).with("b", new StringValue("2"));
        var ba = JobParameters.NONE.with("b", new StringValue("2")).with("a", new StringValue("1"));

        assertThat(ab.identity()).isEqualTo(ba.identity());
        assertThat(JobParameters.NONE.with("ab", new StringValue("c")).identity())
                .isNotEqualTo(
                        JobParameters.NONE.with("a", new StringValue("bc")).identity());
        assertThat(JobParameters.NONE.identity()).hasSize(64);
    }

    @Test
    void secret_identifying_isRefused() {
        var secret = new SecretReference("env:TOKEN");

        assertThatThrownBy(() -> new Parameter(secret, true)).isInstanceOf(BatchException.class);
        assertThatThrownBy(() -> new SecretReference("hunter2")).isInstanceOf(BatchException.class);
    }
}
