package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.DatabaseSettings;
import java.nio.file.Path;

/**
 * How chunk steps write into the campaign's schema: rows and checkpoint commit together. On a server that is the
 * repository's own transaction; with SQLite the schema is another file, which has a checkpoint of its own.
 *
 * <p>Thread-safe. Whoever opened it closes it, after the jobs that write there.
 */
public final class ChunkPlace implements AutoCloseable {
    private final Delivery delivery;
    private final String prefix;
    private final Runnable end;

    private ChunkPlace(Delivery delivery, String prefix, Runnable end) {
        this.delivery = delivery;
        this.prefix = prefix;
        this.end = end;
    }

    static ChunkPlace ofRepository() {
        return new ChunkPlace(Delivery.sameResource(), Target.SCHEMA + ".", () -> {});
    }

    static ChunkPlace ofFile(Path file) {
        Database database = Database.open(DatabaseSettings.sqlite("weighlock-prove", file, true));
        return new ChunkPlace(database.delivery(), "", database::close);
    }

    Delivery delivery() {
        return delivery;
    }

    /** The name under which steps find a table of the campaign. */
    String table(String name) {
        return prefix + name;
    }

    @Override
    public void close() {
        end.run();
    }
}
