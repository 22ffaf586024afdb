package dev.weighlock.app.crash;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A small job with every kind of step, in a folder of its own. Its tables have no keys: a row written twice shows.
 *
 * @param folder holds the job file {@value #FILE}, its data, outputs and repository
 */
record ShopJob(Path folder) {
    static final String FILE = "shop.yaml";
    /** Step and key of each partition. */
    static final List<String> PARTITIONS =
            List.of("mark/east", "mark/north", "mark/south", "revenue/east", "revenue/north", "revenue/south");

    private static final List<String> REGIONS = List.of("east", "north", "south");
    private static final int ORDERS = 40;
    private static final int MARKS = 5;

    /** What a complete job leaves: a digest of each file in its output folders, and the rows of its tables. */
    record Result(Map<String, String> files, List<String> orders, List<String> marks) {}

    /** @param workers of the partitioned query */
    static ShopJob create(Path folder, int workers) throws Exception {
        ShopJob job = new ShopJob(folder);
        Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(folder.resolve("db"));
        Files.writeString(folder.resolve("weighlock.yaml"), """
                connections:
                  shop: {url: "sqlite:db/shop.db", checkpoint: create}
                """);
        Files.writeString(folder.resolve(FILE), text(workers));
        job.writeData();
        job.rounds(1);
        try (Connection connection = job.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE orders (id INTEGER, region TEXT, amount INTEGER)");
            statement.executeUpdate("CREATE TABLE marks (region TEXT, line INTEGER)");
        }
        return job;
    }

    private static String text(int workers) {
        return """
                job: shop
                steps:
                  - id: load
                    chunk:
                      read: {csv: data/orders.csv, schema: {id: BIGINT, region: VARCHAR, amount: BIGINT}}
                      write: {jdbc: {connection: shop, table: orders}}
                      size: 10
                  - id: orders
                    source:
                      connection: shop
                      sql: SELECT id, region, amount FROM orders
                      order_by: [id]
                      output: {parquet: work/orders.parquet}
                      cap: 128MiB
                  - id: revenue
                    partition: {by: "SELECT DISTINCT region FROM 'work/orders.parquet' ORDER BY 1", workers: %d}
                    query:
                      sql: |
                        WITH rounds AS (SELECT unnest(range(n)) AS r
                                        FROM read_csv('data/rounds.csv', header = true, columns = {'n': 'BIGINT'}))
                        SELECT region,
                               CAST(sum(amount) + (SELECT sum(a.r * b.r) FROM rounds a, rounds b) AS BIGINT) AS revenue
                        FROM 'work/orders.parquet' WHERE region = :partition GROUP BY region
                      output: {parquet: "work/revenue/{partition}.parquet"}
                      cap: 128MiB
                  - id: mark
                    partition: {keys: [east, north, south], workers: 2}
                    chunk:
                      read: {csv: "data/mark-{partition}.csv", schema: {region: VARCHAR, line: BIGINT}}
                      write: {jdbc: {connection: shop, table: marks}}
                      size: 2
                  - id: report
                    query:
                      sql: SELECT region, revenue FROM 'work/revenue/*.parquet' ORDER BY region
                      output: {csv: out/report.csv}
                      cap: 128MiB
                """.formatted(workers);
    }

    private void writeData() throws IOException {
        StringBuilder orders = new StringBuilder("id,region,amount\n");
        for (int id = 1; id <= ORDERS; id++) {
            orders.append("%d,%s,%d\n".formatted(id, REGIONS.get(id % REGIONS.size()), 100 + id));
        }
        Files.writeString(folder.resolve("data/orders.csv"), orders);
        for (String region : REGIONS) {
            StringBuilder marks = new StringBuilder("region,line\n");
            for (int line = 1; line <= MARKS; line++) {
                marks.append("%s,%d\n".formatted(region, line));
            }
            Files.writeString(folder.resolve("data/mark-" + region + ".csv"), marks);
        }
    }

    /** How much the partitioned query has to do: 1 is next to nothing and changes no result, 200,000 takes minutes. */
    void rounds(long rounds) throws IOException {
        Files.writeString(folder.resolve("data/rounds.csv"), "n\n" + rounds + "\n");
    }

    Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }

    ShopRecord recorded() {
        return new ShopRecord(folder.resolve(".weighlock/repository.db"));
    }

    /** The rows of the table that the first step loads. */
    List<String> loaded() throws SQLException {
        return rows("SELECT id || ',' || region || ',' || amount FROM orders ORDER BY id");
    }

    /** In the job's own database. */
    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    Result result() throws Exception {
        return new Result(files(), loaded(), rows("SELECT region || ',' || line FROM marks ORDER BY region, line"));
    }

    /** Hidden ones too: a leftover of an attempt that died is a difference. */
    private Map<String, String> files() throws Exception {
        Map<String, String> digests = new TreeMap<>();
        for (String outputs : List.of("work", "out")) {
            try (Stream<Path> tree = Files.walk(folder.resolve(outputs))) {
                for (Path file : tree.filter(Files::isRegularFile).toList()) {
                    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                    digests.put(
                            folder.relativize(file).toString(), HexFormat.of().formatHex(digest));
                }
            }
        }
        return digests;
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("db/shop.db"));
    }
}
