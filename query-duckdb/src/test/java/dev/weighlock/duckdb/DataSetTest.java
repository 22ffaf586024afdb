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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
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
        return dataSet(files.folder.resolve(name + ".db"), name, rows);
    }

    private static DataSet dataSet(Path file, String name, int rows) throws Exception {
        try (var connection =
                        Objects.requireNonNull(new DuckDBDriver().connect("jdbc:duckdb:" + file, new Properties()));
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE \"" + name + "\" AS SELECT i, hash(i)::VARCHAR AS h FROM range(" + rows + ") t(i)");
        }
        return new DataSet(name, file);
    }

    private QueryHandle submit(String sql, DataSet... others) {
        var sets = Stream.concat(Stream.of(orders), Stream.of(others)).toList();
        return submit(backend, sql, sets);
    }

    private static QueryHandle submit(QueryBackend to, String sql, List<DataSet> sets) {
        return to.submit(QueryRequest.select(sql, Map.of()).dataSets(sets));
    }

    private static QueryException error(QueryHandle handle) throws InterruptedException {
        return Objects.requireNonNull(handle.await().error());
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
        assertThat(submit("SELECT count(*) FROM cache.orders").rows().toList()).hasSize(1);
        awaitIdle();
        var running = submit(STREAM);
        assertThat(running.rows().next()).isPresent();
        var refused = submit("SELECT count(*) FROM cache.items", items);
        assertThat(error(refused).code()).isEqualTo(ErrorCode.SERVICE_OVERLOADED);
        assertThat(pinned()).isEqualTo(ordersBytes);
        running.cancel(CancelReason.CALLER);
        running.await();
        awaitIdle();
        assertThat(submit("SELECT count(*) FROM cache.items", items).rows().toList())
                .hasSize(1);
        awaitIdle();
        assertThat(evictable()).isEqualTo(Files.size(items.file()));
    }

    @Test
    void dataSet_thatIsNotThere_isRefused() throws Exception {
        var unknown = submit("SELECT * FROM cache.nothing");
        assertThat(error(unknown)).hasMessageContaining("[orders]");
        assertThat(error(unknown).code()).isEqualTo(ErrorCode.SQL_ERROR);
        assertThat(unknown.await().grantBytes()).isNull();
        var ofAnother = submit(backend, "SELECT * FROM cache.orders", List.of());
        assertThat(error(ofAnother).code()).isEqualTo(ErrorCode.SQL_ERROR);
        var gone = submit("SELECT * FROM cache.gone", new DataSet("gone", files.folder.resolve("gone.db")));
        assertThat(error(gone).code()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND);
    }

    @Test
    void dataSets_largerThanTheShare_areRefusedForGood() throws Exception {
        var items = dataSet("items", 50_000);
        var both = submit("SELECT count(*) FROM cache.orders, cache.items", items);
        assertThat(error(both).code()).isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
        assertThat(error(both)).hasMessageContaining(ordersBytes + Files.size(items.file()) + " of the data sets");
        assertThat(pinned()).isZero();
        try (var none = backend(0)) {
            var one = submit(none, "SELECT count(*) FROM cache.orders", List.of(orders));
            assertThat(error(one).code()).isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
            assertThat(error(one)).hasMessageContaining("share of 0 bytes", "raise the device's 'cache'");
        }
    }

    @Test
    void oneName_inTwoQueriesAtOnce_isTheFileOfEach() throws Exception {
        var other = dataSet(files.folder.resolve("other.db"), "orders", 7);
        try (var wide = backend(4 * (ordersBytes + MIB))) {
            var first = submit(wide, STREAM, List.of(orders));
            assertThat(first.rows().next()).isPresent();
            var second = submit(wide, "SELECT count(*) FROM cache.orders", List.of(other));
            assertThat(second.rows().toList().getFirst().value(0)).isEqualTo(7L);
            assertThat(second.await().succeeded()).isTrue();
            first.cancel(CancelReason.CALLER);
            first.await();
        }
    }

    @Test
    void file_thatGrewBetweenTwoQueries_isChargedAnew() throws Exception {
        var file = files.folder.resolve("grown.db");
        var small = dataSet(file, "grown", 10);
        assertThat(submit("SELECT count(*) FROM cache.grown", small).rows().toList())
                .hasSize(1);
        awaitIdle();
        assertThat(evictable()).isEqualTo(Files.size(file));
        Files.delete(file);
        var grown = dataSet(file, "grown", 50_000);
        assertThat(Files.size(file)).isNotEqualTo(evictable());
        assertThat(submit("SELECT count(*) FROM cache.grown", grown)
                        .rows()
                        .toList()
                        .getFirst()
                        .value(0))
                .isEqualTo(50_000L);
        awaitIdle();
        assertThat(evictable()).isEqualTo(Files.size(file));
    }

    @Test
    void file_thatHoldsNoSuchTable_isNamedWithWhatIsExpected() throws Exception {
        var text =
                Files.writeString(files.folder.resolve("text.db"), "no database, but quite a long text ".repeat(500));
        var renamed = new DataSet("renamed", dataSet("rows", 1).file());
        for (var set : List.of(new DataSet("text", text), renamed)) {
            var refused = submit("SELECT * FROM cache." + set.name(), set);
            assertThat(error(refused).code()).isEqualTo(ErrorCode.DATA_ERROR);
            assertThat(error(refused)).hasMessageContaining(set.file().toString(), "with a table " + set.name());
        }
        awaitIdle();
        assertThat(pinned()).isZero();
    }

    @Test
    void dataSet_namedByAWordOfSql_isReadInQuotes() throws Exception {
        var set = dataSet("order", 3);
        assertThat(submit("SELECT count(*) FROM cache.\"order\"", set)
                        .rows()
                        .toList()
                        .getFirst()
                        .value(0))
                .isEqualTo(3L);
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
