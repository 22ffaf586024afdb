package dev.weighlock.jobs.file;

import dev.weighlock.jobs.file.JobSource.FileText;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.util.Optional;

/** Reads {@code sql} or {@code file}. */
final class SqlReader {
    private SqlReader() {}

    static SqlSource inline(Scalar scalar, String shownName) {
        return new SqlSource(SqlTemplate.parse(scalar.text()), shownName, scalar.textAt());
    }

    static Optional<SqlSource> read(Entries keys, SqlFiles files, String shownName, Problems problems) {
        Optional<Scalar> sql = keys.scalar("sql");
        if (sql.isPresent()) {
            return sql.map(scalar -> inline(scalar, shownName));
        }
        Scalar file = keys.scalar("file").orElseThrow();
        return switch (files.read(file.text())) {
            case FileText.Found found ->
                Optional.of(new SqlSource(SqlTemplate.parse(found.text()), file.text(), Position.START));
            case FileText.Missing missing -> {
                problems.error(file.at(), missing.what(), missing.todo());
                yield Optional.empty();
            }
        };
    }
}
