package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ParameterValue.StringValue;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.jdbc.target.RowLayout;
import dev.weighlock.batch.jdbc.target.WriteMode;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that jobs of campaigns write as rows, each of an instance once; an instance is told by the job's parameter
 * {@link #INSTANCE}. The table has no key: a row that is written twice is there twice.
 */
public final class Numbers {
    /** The parameter that names the instance. */
    public static final String INSTANCE = "instance";

    /** A number that the table refuses. */
    public static final long REFUSED = -1;

    private static final String TABLE = "number";

    private Numbers() {}

    /** What is committed of one instance. */
    public record Written(long rows, long different) {
        /** Whether each of so many is there once. */
        public boolean isEachOnce(long numbers) {
            return rows == numbers && different == numbers;
        }
    }

    /** Makes the table, empty. */
    public static void makeTable(Target target) throws SQLException {
        try (Connection connection = target.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + Target.SCHEMA + "." + TABLE
                    + " (instance text NOT NULL, number bigint NOT NULL CHECK (number >= 0))");
        }
    }

    public static Written written(Target target, String instance) throws SQLException {
        try (Connection connection = target.connect();
                var select = connection.prepareStatement("SELECT count(*), count(DISTINCT number) FROM " + Target.SCHEMA
                        + "." + TABLE + " WHERE instance = ?")) {
            select.setString(1, instance);
            try (var row = select.executeQuery()) {
                row.next();
                return new Written(row.getLong(1), row.getLong(2));
            }
        }
    }

    /**
     * A step that writes what its reader reads; its partitions, where it is built with them, do so each.
     *
     * @param chunk rows of one commit
     */
    public static ChunkStep.Builder<Long, Long> step(
            String name, ChunkPlace place, int chunk, Function<StepContext, ItemReader<Long>> reader) {
        RowLayout rows = new RowLayout(place.table(TABLE), List.of("instance", "number"), WriteMode.INSERT, List.of());
        return ChunkStep.<Long>copying(
                        name,
                        reader::apply,
                        step -> new JdbcWriter<Long>(rows, number -> List.of(instance(step), number)))
                .size(chunk)
                .delivery(place.delivery());
    }

    /** The instance that a step works for. */
    public static String instance(StepContext step) {
        return step.parameters().value(INSTANCE).orElseThrow() instanceof StringValue(String name) ? name : "";
    }

    /** The numbers of a step or partition from the stored position on. For the thread of its step. */
    public static class Reader implements ItemReader<Long> {
        private static final String POSITION = "position";

        private final long first;
        private final long count;
        private long position;

        /** So many for {@code step}, or for its partition. */
        public Reader(StepContext step, long count) {
            this.first = step.partition().map(PartitionScope::ordinal).orElse(0) * count;
            this.count = count;
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            position = startAt(context.longValue(POSITION, 0));
        }

        /** Where a restart goes on. */
        protected long startAt(long stored) {
            return stored;
        }

        @Override
        public @Nullable Long read() {
            return position == count ? null : first + position++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with(POSITION, position);
        }
    }
}
