package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.SessionRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class WarmInstancesTest {
    @TempDir
    private Path folder;

    private EngineFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new EngineFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static void release(EngineSession session) {
        assertThat(session.release()).isInstanceOf(SessionRelease.Proved.class);
    }

    private List<Path> instances() throws Exception {
        try (var paths = Files.walk(fixture.tempRoot, 2)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("instance-"))
                    .toList();
        }
    }

    private void select(EngineSession session, String sql) {
        EngineFixture.rows(session, fixture.plan(sql));
    }

    @Test
    void instance_thatOnlyRead_servesTheNextSessionOfItsClass() throws Exception {
        Files.writeString(fixture.in.resolve("a.csv"), "a\n1\n");
        for (var i = 0; i < 5; i++) {
            var session = fixture.open(64 * MIB);
            select(session, "SELECT sum(i) FROM range(100000) t(i)");
            session.executeToFile(fixture.plan("FROM 'a.csv'"), FileOutput.parquet(), fixture.out.resolve("part-" + i));
            release(session);
            var next = fixture.open(64 * MIB);
            select(next, "FROM read_parquet('" + fixture.out.resolve("part-" + i) + "')");
            release(next);
            assertThat(fixture.engine.warmInstances()).isEqualTo(1);
        }
        assertThat(instances()).hasSize(1);
    }

    @Test
    void instance_thatWasReused_hasItsLimitsAndProvesItsEnds() throws Exception {
        var session = fixture.open(64 * MIB);
        select(session, "SELECT 1");
        release(session);
        var next = fixture.open(64 * MIB);
        var rows = EngineFixture.rows(
                next, fixture.plan("SELECT current_setting('memory_limit'), current_setting('async_threads')"));
        assertThat(rows.getFirst().value(0)).isEqualTo("48.0 MiB");
        assertThat(rows.getFirst().value(1)).isEqualTo(1L);
        release(next);
        var broken = fixture.open(64 * MIB);
        assertThatThrownBy(() -> select(
                        broken,
                        "SELECT CASE WHEN i = 150000 THEN error('boom') ELSE i::VARCHAR END FROM range(200000) t(i)"))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("boom");
        release(broken);
        assertThat(fixture.engine.warmInstances()).isZero();
        assertThat(instances()).isEmpty();
    }

    @Test
    void instance_ofAnotherClass_isNotTaken() throws Exception {
        release(fixture.open(64 * MIB));
        assertThat(fixture.engine.warmInstances()).isEqualTo(1);
        var larger = fixture.open(128 * MIB);
        var elsewhere = fixture.open(64 * MIB, ZoneId.of("Asia/Tokyo"), 256 * MIB);
        var lessTemp = fixture.open(64 * MIB, ZoneOffset.UTC, 128 * MIB);
        assertThat(fixture.engine.warmInstances()).isEqualTo(1);
        for (var session : List.of(larger, elsewhere, lessTemp)) {
            release(session);
        }
        assertThat(fixture.engine.warmInstances()).isEqualTo(4);
    }

    @Test
    void instance_thatFailedSpilledWasGivenUpOrCancelled_isDestroyed() throws Exception {
        var failed = fixture.open(64 * MIB);
        assertThatThrownBy(() -> select(failed, "SELECT no_column")).isInstanceOf(QueryException.class);
        release(failed);
        var spilled = fixture.open(64 * MIB);
        select(
                spilled,
                "SELECT count(*) FROM (SELECT i::VARCHAR || repeat('x', 40) x FROM range(1000000) t(i) ORDER BY x LIMIT 900000)");
        release(spilled);
        var givenUp = fixture.open(64 * MIB);
        givenUp.execute(fixture.plan("SELECT i FROM range(10000000) t(i)")).fetch();
        release(givenUp);
        var cancelled = fixture.open(64 * MIB);
        try (var stream = cancelled.execute(fixture.plan("SELECT i FROM range(10000000) t(i)"))) {
            assertThat(stream.fetch()).isPresent();
            cancelled.cancel();
        }
        release(cancelled);
        assertThat(fixture.engine.warmInstances()).isZero();
        assertThat(instances()).isEmpty();
    }

    @Test
    void instance_cancelledAfterItsEnd_isStillEmpty() {
        var session = fixture.open(64 * MIB);
        select(session, "SELECT 1");
        session.cancel();
        release(session);
        assertThat(fixture.engine.warmInstances()).isEqualTo(1);
        var next = fixture.open(64 * MIB);
        select(next, "SELECT i FROM range(100000) t(i)");
        release(next);
    }

    @Test
    void residue_ofObjectsOrMemoryOrFiles_isSeen() throws Exception {
        var temp = Files.createDirectory(folder.resolve("own"));
        var spec = new Instance.Spec(48 * MIB, 1, MIB, MIB, List.of(), ZoneOffset.UTC, List.of());
        var instance = Instance.open(spec, temp);
        try {
            assertThat(instance.residue()).isEmpty();
            for (var kind : List.of("TEMP TABLE", "VIEW", "TABLE")) {
                run(instance, "CREATE " + kind + " x AS SELECT 1 AS a");
                assertThat(instance.residue()).as(kind).isPresent();
                run(instance, "DROP " + kind.replace("TEMP ", "") + " x");
            }
            try (var beside = instance.connection().duplicate();
                    var statement = beside.prepare("SELECT i FROM range(1000000) t(i) ORDER BY hash(i)");
                    var open = statement.query()) {
                assertThat(open.nextChunk()).isTrue();
                assertThat(instance.residue().orElseThrow()).contains("bytes of memory");
            }
            assertThat(instance.residue()).isEmpty();
            Files.createFile(temp.resolve("left"));
            assertThat(instance.residue()).contains("files in own");
        } finally {
            instance.destroy();
        }
        assertThat(temp).doesNotExist();
    }

    private static void run(Instance instance, String sql) throws SQLException {
        try (var statement = instance.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void keep_overTheLimit_destroysTheOldest() throws Exception {
        try (var engine = DuckDbEngine.open(new DuckDbSettings(folder.resolve("few"), 1, 64 * MIB, 2))) {
            assertThat(new DuckDbSettings(folder.resolve("few"), 1, 64 * MIB, 2).reserveBytes())
                    .isEqualTo(80 * MIB);
            for (var grant : new long[] {64, 96, 128, 160}) {
                engine.open(fixture.request(grant * MIB)).release();
            }
            assertThat(engine.warmInstances()).isEqualTo(2);
        }
        assertThat(folder.resolve("few")).isEmptyDirectory();
        try (var engine = DuckDbEngine.open(new DuckDbSettings(folder.resolve("none"), 1, 64 * MIB, 0))) {
            engine.open(fixture.request(64 * MIB)).release();
            assertThat(engine.warmInstances()).isZero();
        }
    }

    @Test
    void warmInstances_withinAReserve_areThoseItHasRoomFor() {
        var settings = new DuckDbSettings(folder, 1, 64 * MIB, 8);
        assertThat(settings.within(256 * MIB)).isEqualTo(settings);
        assertThat(settings.within(80 * MIB).warmInstances()).isEqualTo(2);
        assertThat(settings.within(80 * MIB).reserveBytes()).isEqualTo(80 * MIB);
        assertThat(settings.within(MIB).warmInstances()).isZero();
    }

    @Test
    void release_afterTheEngineIsClosed_keepsNothing() {
        var session = fixture.open(64 * MIB);
        fixture.engine.close();
        release(session);
        assertThat(fixture.engine.warmInstances()).isZero();
    }
}
