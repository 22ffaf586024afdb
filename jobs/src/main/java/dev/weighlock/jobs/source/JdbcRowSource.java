package dev.weighlock.jobs.source;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.query.engine.RowSource;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a database, asked for when the engine first wants them, so that a waiting query holds no connection.
 *
 * <p>Read by one thread. {@link #close} comes from any: it cancels the statement until it gets the lock, which every other
 * method holds while it is inside the driver, and closes the rest.
 */
final class JdbcRowSource implements RowSource {
    private static final long AGAIN_MILLIS = 100;

    private final Database database;
    private final SourceStatement statement;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable PreparedStatement running;
    private volatile boolean closed;
    private @Nullable Connection connection;
    private @Nullable ResultSet rows;
    private List<SourceColumn> columns = List.of();
    private int[] orderPlaces = new int[0];
    private boolean onFirstRow;
    private long row;
    private @Nullable Object @Nullable [] lastKey;

    JdbcRowSource(Database database, SourceStatement statement) {
        this.database = database;
        this.statement = statement;
    }

    @Override
    public List<Column> columns() {
        lock.lock();
        try {
            if (rows == null) {
                open();
            }
            return columns.stream().map(SourceColumn::column).toList();
        } catch (SQLException failure) {
            throw failed(failure);
        } finally {
            lock.unlock();
        }
    }

    private void open() throws SQLException {
        if (closed) {
            throw new SQLException("the source is closed");
        }
        Connection made = database.connect();
        connection = made;
        boolean sqlite = made.getMetaData().getDatabaseProductName().equals("SQLite");
        readOnly(made, sqlite);
        PreparedStatement prepared = made.prepareStatement(statement.sql());
        running = prepared;
        prepared.setFetchSize(statement.fetch());
        for (int i = 0; i < statement.values().size(); i++) {
            bind(prepared, i + 1, statement.values().get(i), sqlite);
        }
        ResultSet result = prepared.executeQuery();
        rows = result;
        onFirstRow = result.next();
        List<SourceColumn> found = new ArrayList<>();
        for (int place = 1; place <= result.getMetaData().getColumnCount(); place++) {
            found.add(SourceColumn.of(result, place, sqlite));
        }
        columns = List.copyOf(found);
        orderPlaces = statement.orderBy().stream().mapToInt(this::place).toArray();
    }

    /** A source step reads; a server's cursor needs a transaction. */
    private static void readOnly(Connection connection, boolean sqlite) throws SQLException {
        if (sqlite) {
            try (Statement pragma = connection.createStatement()) {
                pragma.execute("PRAGMA query_only = ON");
            }
        } else {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
        }
    }

    private static void bind(PreparedStatement statement, int place, @Nullable Object value, boolean sqlite)
            throws SQLException {
        switch (value) {
            case Instant instant when !sqlite -> statement.setObject(place, instant.atOffset(ZoneOffset.UTC));
            case BigDecimal number when sqlite -> statement.setString(place, number.toPlainString());
            // SQLite compares dates and times as texts, with a blank between the two.
            case LocalDate _, LocalDateTime _, LocalTime _, UUID _
            when sqlite -> statement.setString(place, String.valueOf(value).replace('T', ' '));
            case Instant instant -> statement.setString(place, instant.toString());
            case null, default -> statement.setObject(place, value);
        }
    }

    /** Checked here, since SQLite takes a quoted name that it does not know for a text. */
    private int place(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(column)) {
                return i;
            }
        }
        throw new StepFailure(
                FailureCategory.STEP_FAILED,
                "'order_by' names '%s', which the result does not have; write one of its columns".formatted(column));
    }

    @Override
    public @Nullable Object @Nullable [] next() {
        lock.lock();
        try {
            ResultSet result = rows;
            if (result == null) {
                throw new IllegalStateException("columns() opens the source");
            }
            boolean there = row == 0 ? onFirstRow : result.next();
            if (!there) {
                return null;
            }
            row++;
            return values(result);
        } catch (SQLException failure) {
            throw failed(failure);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Object[] values(ResultSet result) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = columns.get(i).value(result, row);
        }
        if (orderPlaces.length > 0) {
            checkUnique(values);
        }
        return values;
    }

    private void checkUnique(@Nullable Object[] values) {
        @Nullable Object[] key = new @Nullable Object[orderPlaces.length];
        for (int i = 0; i < key.length; i++) {
            key[i] = values[orderPlaces[i]];
        }
        if (Arrays.equals(key, lastKey)) {
            throw new StepFailure(
                    FailureCategory.DATA_ERROR,
                    "rows %d and %d are equal in 'order_by' %s; add a column that tells them apart"
                            .formatted(row - 1, row, statement.orderBy()));
        }
        lastKey = key;
    }

    private StepFailure failed(SQLException failure) {
        String message =
                String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return new StepFailure(
                FailureCategory.STEP_FAILED,
                "the connection %s: %s; correct the SQL or look at the database".formatted(database.name(), message),
                failure);
    }

    @Override
    public void close() {
        closed = true;
        lockCancelling();
        try {
            rows = null;
            running = null;
            closeQuietly(connection);
            connection = null;
        } finally {
            lock.unlock();
        }
    }

    /** Again and again: a cancel that comes before the statement has reached the database does nothing. */
    private void lockCancelling() {
        boolean interrupted = false;
        try {
            while (true) {
                cancel();
                try {
                    if (lock.tryLock(AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void cancel() {
        PreparedStatement statementNow = running;
        if (statementNow == null) {
            return;
        }
        try {
            statementNow.cancel();
        } catch (SQLException over) {
            // It ended meanwhile.
        }
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try (connection) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException broken) {
            // Nothing was written; a broken connection is the pool's to replace.
        }
    }
}
