package dev.weighlock.bench.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;

/** What a durable transaction costs here at least: two small updates and a COMMIT, one client, nothing else. */
final class Floor {
    private Floor() {}

    /** The median of so many, in milliseconds. */
    static double millis(BenchServer server, Place place, int transactions) throws SQLException {
        server.run(place, "CREATE TABLE floor (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)");
        server.run(place, "INSERT INTO floor VALUES (1, 0), (2, 0)");
        double[] taken = new double[transactions];
        try (Connection connection = server.connect(place);
                var update = connection.prepareStatement("UPDATE floor SET n = n + 1 WHERE id = ?")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < transactions; i++) {
                long begun = System.nanoTime();
                for (long id = 1; id <= 2; id++) {
                    update.setLong(1, id);
                    update.executeUpdate();
                }
                connection.commit();
                taken[i] = (System.nanoTime() - begun) / 1e6;
            }
        }
        Arrays.sort(taken);
        return taken[transactions / 2];
    }
}
