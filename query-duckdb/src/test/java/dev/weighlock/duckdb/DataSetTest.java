package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.engine.DataSet;
import dev.weighlock.query.report.CancelReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DataSetTest {
    /** Billions of rows, of which a reader that takes one holds the rest back. */
    private static final String STREAM = "SELECT a.i FROM cache.orders a, cache.orders b";

    @TempDir
    private Path folder;

    private EngineFixture files;
    private QueryBackend backend;
    private DataSet orders;
    private long ordersBytes;

    @BeforeEach
    void open() throws Exception {
        files = new EngineFixture(folder);
        orders = dataSet("orders", 50_000);
        ordersBytes = Files.size(orders.file());
        backend = backend(ordersBytes + MIB);
        backend.declare(orders);
    }

    private QueryBackend backend(long cacheBytes) {
        var device = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(512 * MIB + cacheBytes, "test")
                .headroom(0)
                .reserve(0)
                .cacheCap(cacheBytes)
                .defaultQueryLimit(64 * MIB)
                .maxActive(8)
                .resolve();
        return QueryBackend.open(BackendSettings.of(device), files.engine);
    }

    @AfterEach
    void close() {
        backend.close();
        files.close();
    }

    /** A file with one table of so many rows. */
    private DataSet dataSet(String name, int rows) throws Exception {
        var file = files.folder.resolve(name + ".db");
        try (var connection =
                        Objects.requireNonNull(new DuckDBDriver().connect("jdbc:duckdb:" + file, new Properties()));
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE " + name + " AS SELECT i, hash(i)::VARCHAR AS h FROM range(" + rows + ") t(i)");
        }
        return new DataSet(name, file);
    }

    private QueryHandle submit(String sql) {
        return backend.submit(QueryRequest.select(sql, Map.of()));
    }

    private long evictable() {
        return backend.device().snapshot().cacheEvictableBytes();
    }

    private long pinned() {
        return backend.device().snapshot().cachePinnedBytes();
    }

    private void awaitIdle() {
        while (!backend.device().grants().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void dataSet_usedTwiceInOneQuery_isChargedOnceToTheCacheShare() throws Exception {
        assertThat(evictable()).isZero();
        var handle = submit("SELECT count(*) FROM cache.orders a JOIN Cache.Orders b ON a.i = b.i WHERE a.h = b.h");
        assertThat(handle.rows().toList().getFirst().value(0)).isEqualTo(50_000L);
        assertThat(handle.await().succeeded()).isTrue();
        awaitIdle();
        assertThat(evictable()).isEqualTo(ordersBytes);
        assertThat(pinned()).isZero();
    }

    @Test
    void dataSet_usedByEightQueriesAtOnce_isPinnedOnceAndMovesNoQueryByte() throws Exception {
        var handles = new ArrayList<QueryHandle>();
        for (var i = 0; i < 8; i++) {
            handles.add(submit(STREAM));
        }
        for (var handle : handles) {
            assertThat(handle.rows().next()).isPresent();
        }
        var snapshot = backend.device().snapshot();
        assertThat(snapshot.cachePinnedBytes()).isEqualTo(ordersBytes);
        assertThat(snapshot.cacheEvictableBytes()).isZero();
        assertThat(snapshot.liveGrantBytes()).isEqualTo(8 * 64 * MIB);
        assertThat(snapshot.queryShareBytes()).isEqualTo(512 * MIB);
        assertThatThrownBy(() -> backend.declare(orders)).isInstanceOf(IllegalStateException.class);
        handles.forEach(handle -> handle.cancel(CancelReason.CALLER));
        for (var handle : handles) {
            handle.await();
        }
        awaitIdle();
        assertThat(pinned()).isZero();
        assertThat(evictable()).isEqualTo(ordersBytes);
    }

    @Test
    void dataSet_thatNobodyUses_givesItsRoomToAnother() throws Exception {
        var items = dataSet("items", 50_000);
        backend.declare(items);
        assertThat(submit("SELECT count(*) FROM cache.orders").rows().toList()).hasSize(1);
        awaitIdle();
        var running = submit(STREAM);
        assertThat(running.rows().next()).isPresent();
        var refused = submit("SELECT count(*) FROM cache.items");
        assertThat(Objects.requireNonNull(refused.await().error()).code()).isEqualTo(ErrorCode.SERVICE_OVERLOADED);
        assertThat(pinned()).isEqualTo(ordersBytes);
        running.cancel(CancelReason.CALLER);
        running.await();
        awaitIdle();
        assertThat(submit("SELECT count(*) FROM cache.items").rows().toList()).hasSize(1);
        awaitIdle();
        assertThat(evictable()).isEqualTo(Files.size(items.file()));
    }

    @Test
    void dataSet_thatIsNotThere_isRefused() throws Exception {
        var unknown = submit("SELECT * FROM cache.nothing");
        assertThat(Objects.requireNonNull(unknown.await().error()).code()).isEqualTo(ErrorCode.SQL_ERROR);
        assertThat(unknown.await().grantBytes()).isNull();
        backend.declare(new DataSet("gone", files.folder.resolve("gone.db")));
        var gone = submit("SELECT * FROM cache.gone");
        assertThat(Objects.requireNonNull(gone.await().error()).code()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND);
        try (var small = backend(MIB)) {
            small.declare(dataSet("large", 200_000));
            var large = small.submit(QueryRequest.select("SELECT * FROM cache.large", Map.of()));
            assertThat(Objects.requireNonNull(large.await().error()).code())
                    .isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
        }
    }

    @Test
    void dataSet_inALockedInstance_opensNothingElse() throws Exception {
        var items = dataSet("items", 10);
        var read = submit("SELECT count(*) FROM cache.orders, read_blob('" + items.file() + "')");
        assertThatThrownBy(() -> read.rows().toList())
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_ACCESS_DENIED));
        read.await();
        awaitIdle();
        assertThat(pinned()).isZero();
        assertThat(files.engine.warmInstances()).isZero();
    }
}
