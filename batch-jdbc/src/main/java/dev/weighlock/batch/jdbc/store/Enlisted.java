package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.jdbc.store.StoreDatabase.Work;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.EnlistedWriteException;
import dev.weighlock.batch.testing.CrashPoint;
import java.sql.SQLException;

/** A caller's work and then the repository's guarded statement in one transaction; only a claim may come after it. */
public final class Enlisted {
    private Enlisted() {}

    /** Keeps the failures of the caller's work apart from the repository's own. */
    public static <T> T write(StoreDatabase database, EnlistedWrite write, Work<T> guarded, ReadBack<T> committed) {
        if (write.equals(EnlistedWrite.NONE)) {
            return database.writeOne(guarded, committed);
        }
        return database.writeOnce(
                session -> {
                    try {
                        write.write(session.connection());
                    } catch (SQLException e) {
                        throw new EnlistedWriteException(e);
                    }
                    var result = guarded.run(session);
                    CrashPoint.reach("chunk.guarded");
                    return result;
                },
                committed);
    }
}
