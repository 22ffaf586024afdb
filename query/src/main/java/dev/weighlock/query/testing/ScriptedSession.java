package dev.weighlock.query.testing;

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
import dev.weighlock.query.report.FaultEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One session of a {@link ScriptedEngine}. */
final class ScriptedSession implements EngineSession {
    private static final long SPILLED_BYTES = 1 << 20;

    private final ScriptedEngine engine;
    private final SessionRequest request;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile CountDownLatch idle = new CountDownLatch(0);
    private volatile boolean ended;
    private volatile boolean broken;
    private volatile @Nullable FaultEvidence fault;
    private volatile @Nullable Path spilled;
    private volatile @Nullable SessionUsage usage;
    private @Nullable SessionRelease release;

    ScriptedSession(ScriptedEngine engine, SessionRequest request) {
        this.engine = engine;
        this.request = request;
    }

    @Override
    public ResultStream execute(PlannedStatement statement) {
        if (!engine.has(EngineDefect.LOSES_EARLY_CANCEL)) {
            check();
        }
        begin();
        try {
            return started(statement.sql().strip().split("\\s+", 2));
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    private ScriptedRows started(String[] words) {
        var argument = words.length > 1 ? words[1] : "";
        return switch (words[0].toUpperCase(Locale.ROOT)) {
            case "WAIT" -> rows(awaitProceedOrCancel());
            case "STREAM" -> rows(Long.MAX_VALUE);
            case "DEAF" -> rows(deaf());
            case "KEEP" -> {
                broken = true;
                yield rows(1);
            }
            case "FAULT" -> {
                fault = new FaultEvidence(
                        FaultEvidence.Isolation.valueOf(argument), FaultEvidence.TeardownHealth.INCOMPLETE, null, null);
                throw engine.failure(ErrorCode.DEVICE_FAULT, "as the script says");
            }
            case "BROKEN" -> new ScriptedRows(this, Long.parseLong(argument), true);
            case "NEEDS_MEMORY" -> rows(over(EngineDefect.IGNORES_MEMORY_LIMIT, ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED));
            case "NEEDS_TEMP" -> rows(over(EngineDefect.IGNORES_TEMP_LIMIT, ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED));
            case "NEEDS_RESULT" -> rows(over(EngineDefect.IGNORES_RESULT_LIMIT, ErrorCode.RESULT_LIMIT_EXCEEDED));
            case "SPILL" -> rows(spill(Long.parseLong(argument)));
            case "READ" -> rows(read(Path.of(argument)));
            case "FAIL" -> throw engine.failure(ErrorCode.valueOf(argument), "as the script says");
            case "PANIC" -> throw new IllegalStateException("as the script says");
            default -> rows(Long.parseLong(argument));
        };
    }

    private ScriptedRows rows(long count) {
        return new ScriptedRows(this, count, false);
    }

    private long awaitProceedOrCancel() {
        if (engine.has(EngineDefect.DEAF_IN_EXECUTE)) {
            return deaf();
        }
        try {
            while (!engine.mayProceed()) {
                if (cancelled.await(1, TimeUnit.MILLISECONDS)) {
                    throw ScriptedEngine.cancelled("execute");
                }
            }
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ScriptedEngine.cancelled("execute");
        }
    }

    private long deaf() {
        engine.awaitProceed();
        return 0;
    }

    private long over(EngineDefect ignored, ErrorCode code) {
        if (engine.has(ignored)) {
            return 1;
        }
        throw new QueryException(code, "execute", "over the limit");
    }

    private long spill(long rows) {
        var own = engine.has(EngineDefect.SHARES_ITS_SPILL_FOLDER)
                ? engine.folder()
                : engine.folder().resolve(request.attemptId());
        var file = own.resolve("spilled-" + request.attemptId());
        SpillFolder.write(file);
        spilled = file;
        return rows;
    }

    private long read(Path file) {
        try {
            if (!engine.has(EngineDefect.OPENS_ANY_FILE)) {
                requireInside(file.toRealPath(), request.readDirectories());
            }
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            throw new QueryException(ErrorCode.SOURCE_NOT_FOUND, "execute", "no file " + file, Facts.none(), e);
        }
    }

    private static void requireInside(Path file, List<Path> folders) throws IOException {
        for (var folder : folders) {
            if (file.startsWith(folder.toRealPath())) {
                return;
            }
        }
        throw new QueryException(ErrorCode.SOURCE_ACCESS_DENIED, "execute", file + " is outside");
    }

    @Override
    public FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary) {
        long count;
        try (var rows = execute(statement)) {
            while (rows.fetch().isPresent()) {
                check();
            }
            count = rows.rows();
        }
        return write(count, temporary);
    }

    @Override
    public FileResult importRows(RowSource source, FileOutput output, Path temporary) {
        try (source) {
            var count = 0L;
            while (source.next() != null) {
                check();
                count++;
            }
            return write(count, temporary);
        } catch (QueryException e) {
            throw e;
        } catch (Exception e) {
            var cause = engine.has(EngineDefect.HIDES_THE_SOURCE) ? null : e;
            throw new QueryException(ErrorCode.ENGINE_ERROR, "import", "the source failed", Facts.none(), cause);
        }
    }

    private FileResult write(long rows, Path file) {
        try {
            if (!engine.has(EngineDefect.WRITES_ANYWHERE)) {
                requireInside(file.resolveSibling(".").normalize().toRealPath(), request.writeDirectories());
            }
            Files.writeString(file, rows + " rows");
        } catch (IOException e) {
            if (!engine.has(EngineDefect.HIDES_A_FULL_DISK)) {
                throw new QueryException(ErrorCode.DISK_FULL, "output", "cannot write " + file, Facts.none(), e);
            }
        }
        return new FileResult(file, rows, 0);
    }

    private void begin() {
        idle = new CountDownLatch(1);
        engine.runningStatements().incrementAndGet();
    }

    /** A statement is over, in whatever way. */
    void end() {
        engine.runningStatements().decrementAndGet();
        idle.countDown();
    }

    /** The rows came to their end. */
    void complete() {
        var shown = spilled != null && !engine.has(EngineDefect.HIDES_ITS_SPILLING);
        usage = new SessionUsage(SPILLED_BYTES, 0, shown ? SPILLED_BYTES : 0);
        ended = true;
    }

    boolean has(EngineDefect defect) {
        return engine.has(defect);
    }

    void check() {
        if (cancelled.getCount() == 0) {
            throw ScriptedEngine.cancelled("execute");
        }
    }

    @Override
    public void cancel() {
        broken |= ended && engine.has(EngineDefect.LATE_CANCEL_BREAKS);
        var lost = idle.getCount() == 0 && !ended && engine.has(EngineDefect.LOSES_EARLY_CANCEL);
        if (engine.has(EngineDefect.CANCEL_WAITS)) {
            engine.awaitProceed();
        }
        if (!lost) {
            cancelled.countDown();
        }
    }

    @Override
    public OptionalDouble progress() {
        return idle.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(0);
    }

    @Override
    public Optional<SessionUsage> usage() {
        return Optional.ofNullable(usage);
    }

    @Override
    public SessionRelease release() {
        if (release == null) {
            release = tryRelease();
            if (release instanceof SessionRelease.Proved) {
                engine.released();
            }
        }
        return release;
    }

    private SessionRelease tryRelease() {
        var file = spilled;
        if (file != null && !engine.has(EngineDefect.LEAVES_ITS_SPILL_FILES)) {
            SpillFolder.delete(engine.has(EngineDefect.SHARES_ITS_SPILL_FOLDER) ? file : file.getParent());
        }
        var faulted = fault;
        if (faulted != null) {
            return new SessionRelease.Faulted("the script says so", faulted);
        }
        return broken || engine.has(EngineDefect.NEVER_PROVES_ITS_RELEASE)
                ? new SessionRelease.NotProved("the script says so")
                : new SessionRelease.Proved("nothing was there");
    }
}
