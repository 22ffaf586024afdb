package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.StoredDefinition;
import java.sql.SQLException;

/** Stores each definition once. */
public final class Definitions {
    private Definitions() {}

    public static void store(Session session, StoredDefinition definition) throws SQLException {
        session.sql("""
                        INSERT INTO definition (digest, job_name, format, content, stored_at)
                        VALUES (:digest, :job, :format, :content, {now})
                        ON CONFLICT (digest) DO NOTHING
                        """)
                .bind("digest", definition.digest())
                .bind("job", definition.job().value())
                .bind("format", definition.format())
                .bind("content", definition.content())
                .update();
    }
}
