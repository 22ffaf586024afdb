package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.engine.SessionUsage;
import dev.weighlock.query.engine.StatementProfile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance for one attempt. What another thread may do meanwhile goes through {@link RunningCall}, which also keeps
 * it from touching a connection that is closed.
 */
final class DuckDbSession implements EngineSession {
    private static final Logger LOG = LoggerFactory.getLogger(DuckDbSession.class);
    private static final String OPERATION = "execute";

    private final SessionRequest request;
    private final Limits limits;
    private final WarmInstances warm;
    private final Instance instance;
    private final DuckDBConnection connection;
    private final RunningCall call;
    private @Nullable DuckDbRows rows;
    private int unproved;
    private boolean changed;
    private volatile @Nullable SessionUsage usage;
    private volatile @Nullable Profile profile;
    private @Nullable SessionRelease release;

    private DuckDbSession(SessionRequest request, WarmInstances warm, Instance instance) {
        this.request = request;
        this.limits = Limits.of(request);
        this.warm = warm;
        // An instance that is kept would keep its data sets in use.
        this.changed = !request.dataSets().isEmpty();
        this.instance = instance;
        this.connection = instance.connection();
        this.call = new RunningCall(request.attemptId(), connection);
    }

    static DuckDbSession open(SessionRequest request, int threads, TempRoot tempRoot, WarmInstances warm) {
        var limits = Limits.of(request);
        var folders = new ArrayList<>(request.readDirectories());
        folders.addAll(request.writeDirectories());
        var spec = new Instance.Spec(
                request.engineBytes(),
                threads,
                request.tempLimitBytes(),
                limits.streamingBytes(),
                folders,
                request.timeZone(),
                request.dataSets());
        var instance = warm.tryTake(spec).orElseGet(() -> opened(spec, tempRoot, limits));
        return new DuckDbSession(request, warm, instance);
    }

    private static Instance opened(Instance.Spec spec, TempRoot tempRoot, Limits limits) {
        @Nullable Path folder = null;
        try {
            folder = tempRoot.createFolder();
            return Instance.open(spec, folder);
        } catch (SQLException e) {
            deleteQuietly(folder);
            throw DriverErrors.classify("open", e, limits);
        } catch (IOException e) {
            throw new QueryException(
                    ErrorCode.ENGINE_TEMPORARY_FAILURE, "open", "no folder for spilling", Facts.none(), e);
        } catch (QueryException e) {
            deleteQuietly(folder);
            throw e;
        }
    }

    @Override
    public ResultStream execute(PlannedStatement statement) {
        beginReading();
        try {
            rows = DuckDbRows.execute(this, statement, request.timeZone());
            return rows;
        } catch (SQLException e) {
            call.end();
            throw failure(e);
        } catch (RuntimeException e) {
            call.end();
            throw e;
        }
    }

    @Override
    public FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary) {
        OutputFile.requireInside(request.writeDirectories(), temporary);
        beginReading();
        try {
            var query = OutputColumns.select(this, statement, output);
            return OutputFile.written(temporary, copy(CopyText.of(query, output, temporary), statement.values()));
        } catch (SQLException e) {
            throw failure(e);
        } finally {
            call.end();
        }
    }

    @Override
    public long executeToArrow(PlannedStatement statement, OutputStream out) {
        beginReading();
        try {
            return ArrowOutput.write(this, statement, out);
        } catch (SQLException e) {
            throw failure(e);
        } catch (LinkageError e) {
            throw new QueryException(
                    ErrorCode.INVALID_CONFIGURATION,
                    OPERATION,
                    "Arrow results need arrow-vector, arrow-c-data and arrow-memory-unsafe on the class path, and"
                            + " --add-opens=java.base/java.nio=ALL-UNNAMED",
                    Facts.none(),
                    e);
        } finally {
            call.end();
        }
    }

    @Override
    public FileResult importRows(RowSource source, FileOutput output, Path temporary) {
        try (source) {
            OutputFile.requireInside(request.writeDirectories(), temporary);
            // Before the source is asked for its columns, for which a database may take its time.
            call.begin(source);
            changed = true;
            try (var function = function(source)) {
                return importRows(function, output, temporary);
            } finally {
                call.end();
            }
        }
    }

    private SourceFunction function(RowSource source) {
        try {
            return SourceFunction.of(source, call);
        } catch (RuntimeException e) {
            throw call.isCancelled() ? RunningCall.cancelled(e) : e;
        }
    }

    private FileResult importRows(SourceFunction function, FileOutput output, Path temporary) {
        try {
            function.register(connection);
            var rowCount = copy(CopyText.of(function.query(), output, temporary), List.of());
            return OutputFile.written(temporary, rowCount);
        } catch (SQLException e) {
            throw function.failure().orElseGet(() -> failure(e));
        }
    }

    private void beginReading() {
        call.begin();
        unproved++;
    }

    /** Runs a COPY to its proved end and gives the number of rows. */
    private long copy(String sql, List<@Nullable Object> values) throws SQLException {
        try (var statement = prepare(sql, values);
                var result = statement.query()) {
            var counted = result.nextChunk() ? result.chunk().vector(0).getLong(0) : -1;
            var error = DriverInternals.error(result);
            if (error.isPresent()) {
                throw error.get();
            }
            while (result.nextChunk()) {
                throw new IllegalStateException("a COPY answered with more than its count");
            }
            ended(0);
            return counted;
        }
    }

    DuckDBPreparedStatement prepare(String sql, List<@Nullable Object> values) throws SQLException {
        call.check();
        var statement = connection.prepare(Bindable.typed(sql, values));
        try {
            for (var i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, Bindable.of(values.get(i)));
            }
            call.check();
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /**
     * Takes the proof that the statement ran to its end, and what it used.
     *
     * @param rowBytes the most that rows read at once took
     */
    void ended(long rowBytes) throws SQLException {
        call.check();
        var ended = Profile.read(connection)
                .orElseThrow(() -> new QueryException(
                        ErrorCode.RESULT_INCOMPLETE, OPERATION, "the engine cannot show that the statement ended"));
        unproved--;
        usage = new SessionUsage(ended.bufferBytes(), rowBytes, ended.tempBytes());
        profile = ended;
    }

    /** The rows have ended or were given up. */
    void rowsClosed() {
        rows = null;
        call.end();
    }

    void checkCancelled() {
        call.check();
    }

    QueryException failure(SQLException e) {
        var failure = call.isCancelled() ? RunningCall.cancelled(e) : DriverErrors.classify(OPERATION, e, limits);
        // What a cancelled statement held is gone with it, unless its rows are still open; nobody waits for a look at
        // nothing.
        if (failure.code() != ErrorCode.CANCELLED || rows != null) {
            usage = usageAtFailure(failure.code());
        }
        return failure;
    }

    /** The engine keeps no peak of what failed: the limit that was met, else what it holds at the failure. */
    private @Nullable SessionUsage usageAtFailure(ErrorCode code) {
        try {
            var held = instance.heldNow();
            var full = code == ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED || code == ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED;
            return new SessionUsage(
                    full ? limits.engineBytes() : held.memoryBytes(),
                    0,
                    code == ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED ? limits.tempBytes() : held.tempBytes());
        } catch (SQLException e) {
            LOG.debug("{} does not say what it holds", instance, e);
            return null;
        }
    }

    Limits limits() {
        return limits;
    }

    @Override
    public void cancel() {
        call.cancel();
    }

    @Override
    public OptionalDouble progress() {
        return call.progress();
    }

    @Override
    public Optional<SessionUsage> usage() {
        return Optional.ofNullable(usage);
    }

    @Override
    public Optional<StatementProfile> profile() {
        return Optional.ofNullable(profile).map(Profile::operators);
    }

    @Override
    public SessionRelease release() {
        if (release == null) {
            release = tryRelease();
        }
        return release;
    }

    private SessionRelease tryRelease() {
        try {
            if (rows != null) {
                rows.close();
            }
            call.close();
            if (isEmpty()) {
                warm.keep(instance);
                return new SessionRelease.Proved(instance + " is empty");
            }
            instance.destroy();
            return new SessionRelease.Proved(instance + " is closed and deleted");
        } catch (SQLException | IOException | RuntimeException e) {
            LOG.warn("the instance of attempt {} was not released", request.attemptId(), e);
            return new SessionRelease.NotProved(instance + ": " + e);
        }
    }

    /** Whether the instance can serve another attempt: every statement only read and ended, and nothing is left. */
    private boolean isEmpty() throws IOException {
        if (!warm.isKeeping() || changed || unproved > 0 || call.isInterrupted()) {
            return false;
        }
        try {
            return instance.residue().isEmpty();
        } catch (SQLException e) {
            LOG.warn("{} cannot be proved to be empty and is destroyed", instance, e);
            return false;
        }
    }

    private static void deleteQuietly(@Nullable Path folder) {
        try {
            if (folder != null) {
                TempRoot.deleteTree(folder);
            }
        } catch (IOException e) {
            LOG.warn("{} is left to the next sweep", folder, e);
        }
    }
}
