package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.engine.PlannedStatement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams the rows of a statement as Arrow: one batch of the engine's is in memory at a time, in an allocator that holds no
 * more than the result allowance. Nothing else here needs Arrow's classes, so that a JVM without them runs all the rest.
 */
final class ArrowOutput {
    private static final Logger LOG = LoggerFactory.getLogger(ArrowOutput.class);
    private static final String OPERATION = "fetch";
    private static final String FORGOTTEN = "Invalid result set";
    private static final long ROWS_PER_BATCH = 2_048;
    private static final Pattern ENGINE_MESSAGE =
            Pattern.compile("(?s)CDataJniException\\{errno=-?\\d+, message=(.*)}");

    private final DuckDbSession session;
    private final Target target;
    private long rows;

    private ArrowOutput(DuckDbSession session, Target target) {
        this.session = session;
        this.target = target;
    }

    /** Where the stream goes, remembering why it takes no more: the writer's failures look like the engine's. */
    private static final class Target implements WritableByteChannel {
        private final OutputStream stream;
        private final WritableByteChannel out;
        private @Nullable IOException failure;
        private boolean stopped;

        Target(OutputStream stream) {
            this.stream = stream;
            this.out = Channels.newChannel(stream);
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (stopped) {
                var rest = bytes.remaining();
                bytes.position(bytes.limit());
                return rest;
            }
            try {
                return out.write(bytes);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /** What the writer says on its way out, the end mark above all, is not for a reader of a broken stream. */
        void stop() {
            stopped = true;
        }

        void flush() throws IOException {
            try {
                stream.flush();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        /** It stays its owner's to close. */
        @Override
        public void close() {}
    }

    static long write(DuckDbSession session, PlannedStatement planned, OutputStream out) throws SQLException {
        var output = new ArrowOutput(session, new Target(out));
        var allocator = new RootAllocator(session.limits().resultBytes());
        var ended = false;
        try {
            output.write(planned, allocator);
            ended = true;
            return output.rows;
        } catch (IOException e) {
            throw output.failure(e);
        } catch (OutOfMemoryException e) {
            throw output.tooLarge(e);
        } catch (IllegalArgumentException e) {
            throw e.getCause() instanceof OutOfMemoryException ? output.tooLarge(e) : e;
        } finally {
            close(allocator, ended);
        }
    }

    private void write(PlannedStatement planned, BufferAllocator allocator) throws SQLException, IOException {
        var sql = OutputColumns.forArrow(session, planned);
        try (var statement = session.prepare(sql, planned.values());
                var result = (DuckDBResultSet) execute(statement, sql, planned);
                var reader = (ArrowReader) result.arrowExportStream(allocator, ROWS_PER_BATCH);
                var writer = new ArrowStreamWriter(reader.getVectorSchemaRoot(), reader, target)) {
            var ended = false;
            try {
                writer.start();
                while (reader.loadNextBatch()) {
                    session.checkCancelled();
                    writer.writeBatch();
                    rows += reader.getVectorSchemaRoot().getRowCount();
                }
                session.ended(allocator.getPeakMemoryAllocation());
                ended = true;
                writer.end();
                target.flush();
            } finally {
                if (!ended) {
                    target.stop();
                }
            }
        }
    }

    /**
     * This way of the driver's forgets why a query failed before its first row. The other one tells, so the query is begun
     * there again, up to the same failure.
     */
    private ResultSet execute(DuckDBPreparedStatement statement, String sql, PlannedStatement planned)
            throws SQLException {
        try {
            return statement.executeQuery();
        } catch (SQLException e) {
            session.checkCancelled();
            if (String.valueOf(e.getMessage()).contains(FORGOTTEN)) {
                try (var again = session.prepare(sql, planned.values());
                        var result = again.query()) {
                    if (!result.nextChunk()) {
                        throw DriverInternals.error(result).orElse(e);
                    }
                }
            }
            throw e;
        }
    }

    private QueryException failure(IOException error) throws SQLException {
        var lost = target.failure;
        if (lost != null) {
            var full =
                    String.valueOf(lost.getMessage()).toLowerCase(Locale.ROOT).contains("no space left on device");
            return new QueryException(
                    full ? ErrorCode.DISK_FULL : ErrorCode.CANCELLED,
                    OPERATION,
                    full ? "no space is left where the rows are written" : "whoever took the rows takes no more",
                    full ? Facts.none() : Facts.of(Reason.CALLER_CANCELLED),
                    lost);
        }
        var message = ENGINE_MESSAGE.matcher(String.valueOf(error.getMessage()));
        throw new SQLException(message.find() ? message.group(1) : error.getMessage(), error);
    }

    private QueryException tooLarge(RuntimeException error) {
        return new QueryException(
                ErrorCode.RESULT_LIMIT_EXCEEDED,
                OPERATION,
                session.limits().arrowRemedy(),
                Facts.of(Reason.RESULT_ALLOWANCE),
                error);
    }

    /** A batch that did not fit leaves some bytes behind, which the allocator would report in place of the failure. */
    private static void close(BufferAllocator allocator, boolean ended) {
        try {
            allocator.close();
        } catch (IllegalStateException leak) {
            if (ended) {
                throw leak;
            }
            LOG.debug("the allocator of a failed Arrow stream was not empty", leak);
        }
    }
}
