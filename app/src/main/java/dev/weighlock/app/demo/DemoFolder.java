package dev.weighlock.app.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.function.Consumer;
import org.sqlite.SQLiteDataSource;

/** The folder of the demo: settings, job file, data, and the shop's database with its empty table. What exists is kept. */
final class DemoFolder {
    private static final String SCALE_FILE = "scale.txt";

    private final Path folder;

    DemoFolder(Path folder) {
        this.folder = folder;
    }

    Path jobFile() {
        return folder.resolve("revenue.yaml");
    }

    Path report(String run) {
        return folder.resolve("out/report-" + run + ".csv");
    }

    /** Makes what is missing; {@code say} hears what was made. */
    void prepare(double scale, Consumer<String> say) throws IOException {
        Files.createDirectories(folder.resolve("work/revenue"));
        Files.createDirectories(folder.resolve("out"));
        copyIfMissing("weighlock.yaml");
        copyIfMissing("revenue.yaml");
        createTable();
        generate(scale, say);
    }

    private void copyIfMissing(String name) throws IOException {
        if (!Files.exists(folder.resolve(name))) {
            try (InputStream source = Objects.requireNonNull(DemoFolder.class.getResourceAsStream(name))) {
                Files.copy(source, folder.resolve(name));
            }
        }
    }

    private void createTable() throws IOException {
        SQLiteDataSource shop = new SQLiteDataSource();
        shop.setUrl("jdbc:sqlite:" + folder.resolve("work/shop.db"));
        try (Connection connection = shop.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS orders (
                      o_orderkey      INTEGER PRIMARY KEY,
                      o_custkey       INTEGER NOT NULL,
                      o_orderstatus   TEXT NOT NULL,
                      o_orderdate     TEXT NOT NULL,
                      o_orderpriority TEXT NOT NULL)
                    """);
        } catch (SQLException e) {
            throw new IOException("cannot create the demo's database in " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Another scale replaces the data; the same one keeps every file that is whole. */
    private void generate(double scale, Consumer<String> say) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path marker = data.resolve(SCALE_FILE);
        String wanted = Double.toString(scale);
        if (!Files.exists(marker) || !Files.readString(marker).equals(wanted)) {
            TpchData.remove(data);
            Path partial = data.resolve(SCALE_FILE + ".new");
            Files.writeString(partial, wanted);
            Files.move(partial, marker, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        new TpchData(data, scale).ensure(file -> say.accept("generated " + folder.getFileName() + "/data/" + file));
    }
}
