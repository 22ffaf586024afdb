package dev.weighlock.bench.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;

/**
 * A database and how many connections a side may have there.
 *
 * @param port the server's, or that of something between
 * @param locks where nodes keep their lock files
 */
public record Place(String database, int port, int pool, Path locks) {
    public static final String USER = "postgres";

    /** {@code postgresql://localhost:PORT/DATABASE}. */
    public String url() {
        return "postgresql://localhost:" + port + "/" + database;
    }

    /** A pool as the runtime has it: batches are rewritten by the driver on every side. The caller closes it. */
    public HikariDataSource pooled() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:" + url() + "?reWriteBatchedInserts=true");
        config.setUsername(USER);
        config.setPassword("any");
        config.setMaximumPoolSize(pool);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    Place through(int otherPort) {
        return new Place(database, otherPort, pool, locks);
    }

    Place withPool(int connections) {
        return new Place(database, port, connections, locks);
    }
}
