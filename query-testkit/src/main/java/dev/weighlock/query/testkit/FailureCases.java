package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorKind;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.report.OutcomeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is to blame is told, and a result that broke off is no success. */
abstract class FailureCases extends LimitCases {
    @Test
    void callerErrors_areTheCallers() {
        for (var sql : List.of(under.doesNotBind(), under.doesNotEvaluate())) {
            assertThat(failure(sql, GRANT, 256 * MIB).code().kind()).as(sql).isEqualTo(ErrorKind.INPUT);
        }
    }

    @Test
    void engineFaults_areTheEngines() {
        under.breaksTheEngine()
                .ifPresent(sql ->
                        assertThat(failure(sql, GRANT, 256 * MIB).code().kind()).isEqualTo(ErrorKind.DEPENDENCY));
        assertThat(runAlone(under.rows(1))).isEqualTo(1);
    }

    @Test
    void failedSource_isTheCauseOfItsImport() {
        var session = session();
        var source = new BrokenSource();
        var error = failure(() -> session.importRows(source, FileOutput.csv(), out.resolve("part")));
        assertThat(error).hasStackTraceContaining("the other database is gone");
        assertThat(source.closed).isTrue();
        releaseProved(session);
    }

    @Test
    void everyEnd_ofAStream_isProved() {
        for (var rows : new long[] {0, 1, 5_000}) {
            assertThat(runAlone(under.rows(rows))).isEqualTo(rows);
        }
    }

    @Test
    void brokenStream_neverLooksComplete() {
        var session = session();
        var stream = session.execute(plan(under.breaksAfterRows()));
        var error = failure(() -> {
            while (stream.fetch().isPresent()) {
                assertThat(stream.isComplete()).isFalse();
            }
            return null;
        });
        assertThat(error.code().kind()).isEqualTo(ErrorKind.INPUT);
        assertThat(stream.isComplete()).isFalse();
        assertThat(stream.rows()).isPositive();
        stream.close();
        releaseProved(session);
    }

    @Test
    void brokenStream_isAFailureWithItsDeliveredRows() {
        var handle = submit(under.breaksAfterRows());
        var read = within(start(() -> {
            var count = 0L;
            try {
                while (handle.rows().next().isPresent()) {
                    count++;
                }
            } catch (QueryException e) {
                return count;
            }
            throw new AssertionError("the rows came to an end after " + count);
        }));
        var summary = await(handle);
        assertThat(summary.outcome()).isEqualTo(OutcomeKind.FAILED);
        assertThat(summary.resultComplete()).isFalse();
        assertThat(summary.resultRows()).isPositive().isGreaterThanOrEqualTo(read);
        assertEmptied();
    }

    /** Two rows, then a failure. */
    private static final class BrokenSource implements RowSource {
        private int rows;
        volatile boolean closed;

        @Override
        public List<Column> columns() {
            return List.of(new Column("i", "BIGINT"));
        }

        @Override
        public @Nullable Object @Nullable [] next() {
            if (rows++ == 2) {
                throw new IllegalStateException("the other database is gone");
            }
            return new @Nullable Object[] {(long) rows};
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
