package dev.weighlock.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/** Reads an Arrow stream with Arrow's reader and writes its values as CSV. */
final class ArrowAsCsv {
    private ArrowAsCsv() {}

    static void convert(Path arrow, Path csv) throws IOException, SQLException {
        try (var allocator = new RootAllocator();
                var reader = new ArrowStreamReader(Files.newInputStream(arrow), allocator);
                var stream = ArrowArrayStream.allocateNew(allocator);
                var connection = (DuckDBConnection) new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
                var statement = connection.createStatement()) {
            Data.exportArrayStream(allocator, reader, stream);
            statement.execute("SET TimeZone = 'UTC'");
            connection.registerArrowStream("arrow_rows", stream);
            statement.execute("COPY (FROM arrow_rows) TO '" + csv + "' (FORMAT csv, HEADER)");
        }
    }
}
