package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceProfileTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    @Test
    void defaults_takeATenthOfHeadroomAndTheReserve() {
        DeviceProfile profile = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(10 * GIB, "container limit")
                .maxActive(8)
                .resolve();

        assertThat(profile.managedCapacityBytes()).isEqualTo(9 * GIB - 256 * MIB);
        assertThat(profile.queryShareBytes()).isEqualTo(profile.managedCapacityBytes());
        assertThat(profile.defaultQueryLimitBytes()).isEqualTo(profile.queryShareBytes() / 8);
        assertThat(profile.rootLanes()).isEqualTo(8);
        assertThat(profile.auxiliaryLanes()).isZero();
    }

    @Test
    void cacheShare_isTakenFromTheManagedCapacity() {
        DeviceProfile profile = host(0, 100, 3).cacheCap(31).resolve();

        assertThat(profile.queryShareBytes()).isEqualTo(69);
        assertThat(profile.defaultQueryLimitBytes()).isEqualTo(23);
    }

    @Test
    void arithmetic_showsEveryDerivedFigure() {
        assertThat(host(0, 100, 2)
                        .cacheCap(40)
                        .sourceWork(1)
                        .lanes(6, 5)
                        .resolve()
                        .arithmetic())
                .containsExactly(
                        "limit 100 bytes (test)",
                        "managed capacity M = limit - headroom - reserve = 100 - 0 - 0 = 100",
                        "query share Q = M - cache share K = 100 - 40 = 60",
                        "default query limit = Q / max active = 60 / 2 = 30",
                        "root lanes = max active = 2",
                        "auxiliary lanes = min(stream pool, worker capacity) - max active = min(6, 5) - 2 = 3,"
                                + " at least max active * source work = 2");
    }

    @Test
    void slotsByDefault_areAsManyAsProcessors_butNoneBelowTheLeastCap() {
        ProfileBuilder builder = DeviceProfile.device(0, DeviceKind.HOST);

        assertThat(builder.limit(builder.leastLimitBytes(), "test").resolve().maxActive())
                .isEqualTo(1);
        assertThat(builder.limit(1024 * GIB, "test").resolve().maxActive())
                .isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void leastLimit_isJustEnoughForTheOtherFigures() {
        for (ProfileBuilder builder : List.of(
                DeviceProfile.device(0, DeviceKind.HOST),
                DeviceProfile.device(0, DeviceKind.HOST).maxActive(3),
                DeviceProfile.device(0, DeviceKind.HOST).maxActive(2).defaultQueryLimit(50 * MIB),
                DeviceProfile.device(0, DeviceKind.HOST).cacheCap(7).headroom(11))) {
            long least = builder.leastLimitBytes();

            assertThat(builder.limit(least, "test").resolve().limitBytes()).isEqualTo(least);
            assertRefused(builder.limit(least - 1, "test"), "device 0");
        }
    }

    @Test
    void figuresThatCannotHold_areRefusedWithTheArithmetic() {
        assertRefused(host(0, 100, 2).headroom(60).reserve(40), "= 0 leaves nothing");
        assertRefused(host(0, 100, 2).cacheCap(100), "Q = M 100 - K 100 = 0 leaves nothing to queries");
        assertRefused(host(0, 100, 3).minimumCap(34), "Q 100 / max active 3 = 33 is below the least cap 34");
        assertRefused(host(0, 100, 3).defaultQueryLimit(101), "101 is above the query share Q = 100");
        assertRefused(host(0, 100, 3).sourceWork(2).lanes(8, 20), "max active 3 * source work 2 = 6");
        assertRefused(host(0, 0, 1), "the limit must be positive");
        assertRefused(host(0, 100, 0), "max active must be positive");
        assertRefused(host(64, 100, 1), "0..63");
        assertRefused(host(0, 100, 1).headroom(-1), "must not be negative");
        assertRefused(host(0, 100, 1).reserve(Long.MAX_VALUE), "must each lie within the limit 100");
    }

    private static void assertRefused(ProfileBuilder builder, String arithmetic) {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(builder::resolve)
                .withMessageContaining(arithmetic)
                .matches(refusal -> refusal.code() == ErrorCode.INVALID_CONFIGURATION);
    }
}
