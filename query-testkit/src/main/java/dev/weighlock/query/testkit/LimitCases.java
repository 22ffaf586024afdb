package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.report.OutcomeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Every limit has its code, and who meets one leaves the others alone. */
abstract class LimitCases extends DeadlineCases {
    private static final Path FULL_DISK = Path.of("/dev/full");

    @Test
    void memoryLimit_exceeded_hasItsCodeAndStopsNobodyElse() {
        assertCode(ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED, failure(under.needsMemory(), GRANT, 256 * MIB));
        var greedy = submit(under.needsMemory());
        var modest = submit(under.rows(10));
        assertThat(modest.rows().toList()).hasSize(10);
        var summary = await(greedy);
        assertThat(summary.outcome()).isEqualTo(OutcomeKind.FAILED);
        assertCode(ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED, Objects.requireNonNull(summary.error()));
        assertEmptied();
    }

    @Test
    void tempLimit_exceeded_hasItsCode() {
        assertCode(ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED, failure(under.needsTemp(), GRANT, 8 * MIB));
    }

    @Test
    void resultLimit_exceeded_hasItsCode() {
        assertCode(ErrorCode.RESULT_LIMIT_EXCEEDED, failure(under.needsResultRoom(), 128 * MIB, 256 * MIB));
    }

    @Test
    void fullDisk_ofAnOutput_hasItsCode() {
        assertThat(Files.exists(FULL_DISK)).as("a device that is always full").isTrue();
        var session = engine.open(new SessionRequest(
                "attempt-full", GRANT, List.of(), List.of(FULL_DISK.getParent()), ZoneOffset.UTC, MIB));
        var planned = plan(under.rows(100_000));
        assertCode(ErrorCode.DISK_FULL, failure(() -> session.executeToFile(planned, FileOutput.csv(), FULL_DISK)));
        releaseProved(session);
    }
}
