package dev.weighlock.query.backend;

import dev.weighlock.query.engine.EngineStatement;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.RowSource;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;

/** What a query does with its rows. */
public sealed interface QueryWork {
    /** The SQL to plan; empty where rows come from outside. */
    default Optional<EngineStatement> sql() {
        return Optional.empty();
    }

    /** Hands the rows to the caller. */
    record Select(EngineStatement statement) implements QueryWork {
        @Override
        public Optional<EngineStatement> sql() {
            return Optional.of(statement);
        }
    }

    /**
     * Keeps the whole result for paging once the query has ended; see {@link QueryHandle#awaitPages}.
     *
     * @param rowsPerPage of every page but the last, which may have fewer
     */
    record KeepPages(EngineStatement statement, int rowsPerPage) implements QueryWork {
        public KeepPages {
            if (rowsPerPage < 1) {
                throw new IllegalArgumentException("a page needs rows, not " + rowsPerPage);
            }
        }

        @Override
        public Optional<EngineStatement> sql() {
            return Optional.of(statement);
        }
    }

    /**
     * Writes the rows to a new file.
     *
     * @param temporary the caller's name for it, absolute and inside a write directory; the caller forces it to disk
     *     and renames it after success and deletes it otherwise
     */
    record WriteFile(EngineStatement statement, FileOutput output, Path temporary) implements QueryWork {
        public WriteFile {
            requireAbsolute(temporary);
        }

        @Override
        public Optional<EngineStatement> sql() {
            return Optional.of(statement);
        }
    }

    /**
     * Writes the rows as an Arrow IPC stream while the query runs; a slow taker holds the query back.
     *
     * @param out written by the query's own thread, flushed, and the caller's to close after the query's end; a stream
     *     that lacks its end mark is of a query that failed
     */
    record WriteArrow(EngineStatement statement, OutputStream out) implements QueryWork {
        @Override
        public Optional<EngineStatement> sql() {
            return Optional.of(statement);
        }
    }

    /** Writes the rows of a source to a new file; the source is closed in every case. */
    record ImportRows(RowSource source, FileOutput output, Path temporary) implements QueryWork {
        public ImportRows {
            requireAbsolute(temporary);
        }
    }

    private static void requireAbsolute(Path temporary) {
        if (!temporary.isAbsolute()) {
            throw new IllegalArgumentException("the output " + temporary + " is not absolute");
        }
    }
}
