package dev.weighlock.bench.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.jdbc.target.RowLayout;
import dev.weighlock.batch.jdbc.target.WriteMode;
import dev.weighlock.jobs.csv.CsvItemReader;
import dev.weighlock.jobs.csv.CsvRow;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Loops over JDBC as one would write them by hand for one purpose: a row that says how far it came, and nothing else. */
final class ByHand implements Contender {
    private final HikariDataSource pool;

    ByHand(Place place) {
        pool = place.pooled();
    }

    @Override
    public double[] jobs(int count) throws SQLException {
        double[] seconds = new double[count];
        try (Connection connection = pool.getConnection()) {
            for (int i = 0; i < count; i++) {
                long begun = System.nanoTime();
                long id = begin(connection);
                update(connection, "UPDATE run SET status = 'COMPLETED' WHERE id = ?", id);
                seconds[i] = (System.nanoTime() - begun) / 1e9;
            }
        }
        return seconds;
    }

    private static long begin(Connection connection) throws SQLException {
        long id = INSTANCES.incrementAndGet();
        update(connection, "INSERT INTO run (id, status, position) VALUES (?, 'STARTED', 0)", id);
        return id;
    }

    private static void update(Connection connection, String sql, long... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setLong(i + 1, values[i]);
            }
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("no such row: " + sql);
            }
        }
    }

    @Override
    public void items(long count, int chunk, boolean copying) throws Exception {
        long[] next = {0};
        copy(chunk, Tables.items(copying), () -> next[0] == count ? null : Item.of(next[0]++));
    }

    @Override
    public void records(Path csv, int chunk) throws Exception {
        CsvItemReader reader = Sales.reader(csv);
        try {
            this.<CsvRow>copy(chunk, Tables.sales(), reader::read);
        } finally {
            reader.close();
        }
    }

    private <T> void copy(int size, JdbcWriter<T> writer, Supplier<@Nullable T> reader) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            long id = begin(connection);
            connection.setAutoCommit(false);
            long position = 0;
            List<T> chunk = chunk(reader, size);
            while (!chunk.isEmpty()) {
                writer.write(chunk, connection);
                position += chunk.size();
                update(connection, "UPDATE run SET position = ? WHERE id = ?", position, id);
                connection.commit();
                chunk = chunk(reader, size);
            }
            update(connection, "UPDATE run SET status = 'COMPLETED' WHERE id = ?", id);
            connection.commit();
        }
    }

    private static <T> List<T> chunk(Supplier<@Nullable T> reader, int size) {
        List<T> chunk = new ArrayList<>(size);
        while (chunk.size() < size) {
            T item = reader.get();
            if (item == null) {
                break;
            }
            chunk.add(item);
        }
        return chunk;
    }

    @Override
    public void partitions(int count, int workers, boolean writing) throws Exception {
        long first = plan(count);
        AtomicInteger next = new AtomicInteger();
        Callable<Boolean> worker = () -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    if (writing) {
                        update(connection, Tables.WRITE);
                    }
                    update(connection, "UPDATE part SET status = 'COMPLETED' WHERE id = ?", first + i);
                    connection.commit();
                }
                return true;
            }
        };
        try (var threads = Executors.newFixedThreadPool(workers)) {
            for (var done : threads.invokeAll(Collections.nCopies(workers, worker))) {
                done.get();
            }
        }
    }

    /** The whole plan in one transaction; returns its first id. */
    private long plan(int count) throws SQLException {
        long first = INSTANCES.getAndAdd(count) + 1;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.prepareStatement("INSERT INTO part (id, status) VALUES (?, 'PLANNED')")) {
                for (int i = 0; i < count; i++) {
                    statement.setLong(1, first + i);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            connection.commit();
        }
        return first;
    }

    @Override
    public double[] leftOver(int count) {
        throw new UnsupportedOperationException("nobody writes restarts by hand");
    }

    @Override
    public void close() {
        pool.close();
    }

    /** Writers and statements that sides share. */
    static final class Tables {
        static final String WRITE = "INSERT INTO public.business (text) VALUES ('written')";

        private Tables() {}

        static JdbcWriter<Item> items(boolean copying) {
            WriteMode mode = copying ? WriteMode.COPY : WriteMode.INSERT;
            return new JdbcWriter<>(new RowLayout("public.item", Item.COLUMNS, mode, List.of()), Item::values);
        }

        static JdbcWriter<CsvRow> sales() {
            return new JdbcWriter<>(
                    new RowLayout("public.sale", Sales.COLUMNS, WriteMode.INSERT, List.of()), CsvRow::values);
        }
    }
}
