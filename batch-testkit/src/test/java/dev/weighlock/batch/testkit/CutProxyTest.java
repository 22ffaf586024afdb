package dev.weighlock.batch.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class CutProxyTest {
    private static Connection connect(CutProxy proxy, String database) throws SQLException {
        var connection = DriverManager.getConnection(
                "jdbc:" + EmbeddedDatabase.url(database, proxy.port()), EmbeddedDatabase.USER, "any");
        connection.setAutoCommit(false);
        return connection;
    }

    private static void insert(Connection connection, int value) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO item VALUES (" + value + ")");
        }
    }

    private static String database() throws SQLException {
        var database = EmbeddedDatabase.createDatabase();
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE item (id INT)");
        }
        return database;
    }

    private static int rows(String database) throws SQLException {
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM item")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** The driver prepares its COMMIT, so the second one is another message than the first. */
    @Test
    void cutCommit_isNeverSeenByTheServer() throws Exception {
        var database = database();
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var connection = connect(proxy, database)) {
            insert(connection, 1);
            connection.commit();
            proxy.cutCommit(2);
            insert(connection, 2);
            connection.commit();
            insert(connection, 3);

            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);

            assertThat(proxy.cuts()).isEqualTo(1);
        }
        assertThat(rows(database)).isEqualTo(2);
    }

    @Test
    void cutAnswer_leavesTheRowThere() throws Exception {
        var database = database();
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var connection = connect(proxy, database)) {
            proxy.cutAnswer(1);
            insert(connection, 1);

            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(rows(database)).isEqualTo(1);
    }

    @Test
    void cutAnswer_ofAStatementThatCommitsByItself_leavesTheRowThere() throws Exception {
        var database = database();
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var connection = connect(proxy, database)) {
            connection.setAutoCommit(true);
            insert(connection, 1);
            proxy.cutAnswer("INSERT 0 1", 1);

            assertThatThrownBy(() -> insert(connection, 2)).isInstanceOf(SQLException.class);
        }
        assertThat(rows(database)).isEqualTo(2);
    }

    @Test
    void deafProxy_letsNobodyListen() throws Exception {
        var database = database();
        try (var deaf = CutProxy.start(EmbeddedDatabase.port());
                var hearing = CutProxy.start(EmbeddedDatabase.port())) {
            deaf.deafen();
            assertThat(channels(deaf, database)).isZero();
            assertThat(channels(hearing, database)).isEqualTo(1);
        }
    }

    private static int channels(CutProxy proxy, String database) throws SQLException {
        try (var connection = connect(proxy, database);
                var statement = connection.createStatement()) {
            statement.execute("LISTEN something");
            connection.commit();
            try (var row = statement.executeQuery("SELECT count(*) FROM pg_listening_channels()")) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Test
    void proxyThatIsAway_cutsAndRefusesUntilItIsBack() throws Exception {
        var database = database();
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var early = connect(proxy, database)) {
            proxy.goAway();

            assertThatThrownBy(() -> insert(early, 1)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connect(proxy, database).close()).isInstanceOf(SQLException.class);
            assertThat(proxy.refused()).isPositive();
            proxy.comeBack();
            try (var late = connect(proxy, database)) {
                insert(late, 2);
                late.commit();
            }
        }
        assertThat(rows(database)).isEqualTo(1);
    }
}
