package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.ResultStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What every engine must show. An engine's test extends this class; the cases of {@code PlanningCases}, {@code
 * CancelCases}, {@code DeadlineCases}, {@code LimitCases} and {@code FailureCases} come with it.
 */
public abstract class QueryEngineContract extends FailureCases {
    @Test
    void release_afterEveryEnd_isProvedAndLeavesNoFile() {
        for (var sql : List.of(under.rows(10), under.spills(), under.breaksAfterRows(), under.doesNotEvaluate())) {
            var session = session();
            try {
                run(session, sql);
            } catch (QueryException expected) {
                assertThat(sql).isIn(under.breaksAfterRows(), under.doesNotEvaluate());
            }
            releaseProved(session);
            assertThat(spilledFiles()).as(sql).isEmpty();
        }
        var given = session();
        given.execute(plan(under.endlessRows())).fetch();
        given.cancel();
        releaseProved(given);
        assertThat(spilledFiles()).isEmpty();
    }

    @Test
    void usage_afterASpill_namesItAndStaysWithinTheGrant() {
        var session = session();
        run(session, under.spills());
        var usage = session.usage().orElseThrow();
        assertThat(usage.tempBytes()).isPositive();
        assertThat(usage.peakBytes()).isBetween(1L, GRANT);
        releaseProved(session);
    }

    @Test
    void spillFolders_areEachSessionsOwnAndGoneWithIt() {
        var one = session();
        var rows = firstRows(one);
        var ofOne = spilledFiles();
        var two = session();
        var others = firstRows(two);
        var ofTwo = spilledFiles();
        ofTwo.removeAll(ofOne);
        assertThat(folders(ofOne)).isNotEmpty().doesNotContainAnyElementsOf(folders(ofTwo));
        rows.close();
        releaseProved(one);
        assertThat(spilledFiles()).doesNotContainAnyElementsOf(ofOne).containsAll(ofTwo);
        others.close();
        releaseProved(two);
        assertThat(spilledFiles()).isEmpty();
    }

    @Test
    void close_leavesNothingBehind() {
        assertThat(runAlone(under.spills())).isPositive();
        engine.close();
        assertThat(spillRoot).isEmptyDirectory();
    }

    @Test
    void files_outsideTheReadFolders_areRefused() throws Exception {
        Files.writeString(in.resolve("a.csv"), "1\n");
        var secret = Files.writeString(folder.resolve("secret.csv"), "1\n");
        Files.createSymbolicLink(in.resolve("link.csv"), secret);
        Files.createSymbolicLink(in.resolve("up"), folder);
        assertThat(runAlone(under.reads(in.resolve("a.csv")))).isEqualTo(1);
        for (var file :
                List.of(secret, in.resolve("../secret.csv"), in.resolve("link.csv"), in.resolve("up/secret.csv"))) {
            assertCode(ErrorCode.SOURCE_ACCESS_DENIED, failure(under.reads(file), GRANT, MIB));
        }
        for (var pattern : List.of(folder + "/*.csv", in + "/../*.csv", in + "/up/*.csv")) {
            under.readsAll(pattern)
                    .ifPresent(sql -> assertThat(failure(sql, GRANT, MIB).code())
                            .as(pattern)
                            .isIn(ErrorCode.SOURCE_ACCESS_DENIED, ErrorCode.SOURCE_NOT_FOUND));
        }
    }

    @Test
    void outputs_outsideTheWriteFolders_areRefused() throws Exception {
        Files.createSymbolicLink(out.resolve("up"), folder);
        for (var file : List.of(folder.resolve("x"), in.resolve("x"), out.resolve("../x"), out.resolve("up/x"))) {
            var session = session();
            var planned = plan(under.rows(1));
            assertCode(
                    ErrorCode.SOURCE_ACCESS_DENIED,
                    failure(() -> session.executeToFile(planned, FileOutput.csv(), file)));
            releaseProved(session);
            assertThat(file).doesNotExist();
        }
    }

    private ResultStream firstRows(EngineSession session) {
        var stream = session.execute(plan(under.spills()));
        assertThat(stream.fetch()).isPresent();
        return stream;
    }

    /** What sessions have spilled; the files by which an engine marks its place are none of it. */
    private List<Path> spilledFiles() {
        try (var paths = Files.walk(spillRoot)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> !spillRoot.equals(path.getParent()))
                    .collect(Collectors.toCollection(ArrayList::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<Path> folders(List<Path> files) {
        return files.stream().map(Path::getParent).collect(Collectors.toSet());
    }
}
