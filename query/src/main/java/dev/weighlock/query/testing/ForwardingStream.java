package dev.weighlock.query.testing;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowBatch;
import java.util.List;
import java.util.Optional;

/** As the stream behind it, but for what a subclass changes. */
public abstract class ForwardingStream implements ResultStream {
    private final ResultStream stream;

    protected ForwardingStream(ResultStream stream) {
        this.stream = stream;
    }

    @Override
    public List<ResultColumn> columns() {
        return stream.columns();
    }

    @Override
    public Optional<RowBatch> fetch() {
        return stream.fetch();
    }

    @Override
    public long rows() {
        return stream.rows();
    }

    @Override
    public long bytes() {
        return stream.bytes();
    }

    @Override
    public boolean isComplete() {
        return stream.isComplete();
    }

    @Override
    public void close() {
        stream.close();
    }
}
