package dev.weighlock.query.testing;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionUsage;
import dev.weighlock.query.engine.StatementProfile;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/** As the session behind it, but for what a subclass changes. */
public abstract class ForwardingSession implements EngineSession {
    private final EngineSession session;

    protected ForwardingSession(EngineSession session) {
        this.session = session;
    }

    @Override
    public ResultStream execute(PlannedStatement statement) {
        return session.execute(statement);
    }

    @Override
    public FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary) {
        return session.executeToFile(statement, output, temporary);
    }

    @Override
    public long executeToArrow(PlannedStatement statement, OutputStream out) {
        return session.executeToArrow(statement, out);
    }

    @Override
    public FileResult importRows(RowSource rows, FileOutput output, Path temporary) {
        return session.importRows(rows, output, temporary);
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public OptionalDouble progress() {
        return session.progress();
    }

    @Override
    public Optional<SessionUsage> usage() {
        return session.usage();
    }

    @Override
    public Optional<StatementProfile> profile() {
        return session.profile();
    }

    @Override
    public SessionRelease release() {
        return session.release();
    }
}
