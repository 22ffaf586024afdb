package dev.weighlock.query.testing;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionUsage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does what the statement of {@link ScriptedEngine} says. */
final class ScriptedSession implements EngineSession {
    private static final SessionRelease PROVED = new SessionRelease.Proved("nothing was ever held");

    private final CountDownLatch proceed;
    private final Runnable onRelease;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final AtomicReference<@Nullable SessionRelease> answer = new AtomicReference<>();
    private volatile boolean keeps;

    ScriptedSession(CountDownLatch proceed, Runnable onRelease) {
        this.proceed = proceed;
        this.onRelease = onRelease;
    }

    @Override
    public ResultStream execute(PlannedStatement statement) {
        checkCancelled();
        String[] words = statement.sql().split(" ", 2);
        return switch (words[0]) {
            case "FAIL" -> throw new QueryException(ErrorCode.valueOf(words[1]), "execute", "as the script says");
            case "WAIT" -> {
                awaitProceed();
                yield new ScriptedRows(this, 0);
            }
            case "KEEP" -> {
                keeps = true;
                yield new ScriptedRows(this, 1);
            }
            case "ROWS" -> new ScriptedRows(this, Integer.parseInt(words[1]));
            default -> throw new IllegalStateException("as the script says: " + statement.sql());
        };
    }

    private void awaitProceed() {
        try {
            while (!proceed.await(1, TimeUnit.MILLISECONDS)) {
                checkCancelled();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new QueryException(ErrorCode.CANCELLED, "execute", "interrupted");
        }
    }

    void checkCancelled() {
        if (cancelled.getCount() == 0) {
            throw new QueryException(ErrorCode.CANCELLED, "execute", "the session was cancelled");
        }
    }

    @Override
    public FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary) {
        throw new UnsupportedOperationException("a scripted engine writes no files");
    }

    @Override
    public FileResult importRows(RowSource rows, FileOutput output, Path temporary) {
        rows.close();
        throw new UnsupportedOperationException("a scripted engine writes no files");
    }

    @Override
    public void cancel() {
        cancelled.countDown();
    }

    @Override
    public OptionalDouble progress() {
        return OptionalDouble.empty();
    }

    @Override
    public Optional<SessionUsage> usage() {
        return Optional.of(new SessionUsage(0, 0, 0));
    }

    @Override
    public SessionRelease release() {
        SessionRelease now = keeps ? new SessionRelease.NotProved("a session that the script keeps") : PROVED;
        if (answer.compareAndSet(null, now) && !keeps) {
            onRelease.run();
        }
        return now;
    }
}
