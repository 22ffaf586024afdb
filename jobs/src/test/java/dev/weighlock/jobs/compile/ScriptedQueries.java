package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.query.Queries;
import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryProgress;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.backend.QueryState;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.backend.QueryWork;
import dev.weighlock.query.engine.EngineStatement;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.report.CancelReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queries whose answers a test gives, in place of an engine. Thread-safe. */
final class ScriptedQueries implements Queries {
    final List<QueryRequest> requests = new CopyOnWriteArrayList<>();
    final CountDownLatch waiting = new CountDownLatch(1);
    private final Function<String, Answer> script;

    ScriptedQueries(Function<String, Answer> script) {
        this.script = script;
    }

    sealed interface Answer {
        /** Rows, or as many lines of a file. */
        record Rows(List<String> columns, List<List<?>> rows) implements Answer {}

        record Fails(ErrorCode code, String message) implements Answer {}

        /** Until it is cancelled. */
        record Waits() implements Answer {}
    }

    static Answer rows(String columns, List<?>... rows) {
        return new Answer.Rows(List.of(columns.split(",")), List.of(rows));
    }

    List<String> texts() {
        return requests.stream()
                .flatMap(request -> request.work().sql().stream())
                .map(EngineStatement::sql)
                .toList();
    }

    @Override
    public QueryHandle submit(QueryRequest request) {
        requests.add(request);
        return new Handle(
                request,
                script.apply(request.work().sql().map(EngineStatement::sql).orElse("import")));
    }

    private final class Handle implements QueryHandle {
        private final QueryRequest request;
        private final Answer answer;
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private volatile @Nullable QueryException failure;

        private Handle(QueryRequest request, Answer answer) {
            this.request = request;
            this.answer = answer;
        }

        @Override
        public AttemptId attemptId() {
            return new AttemptId(1, requests.size());
        }

        @Override
        public QueryRequest request() {
            return request;
        }

        @Override
        public QueryState state() {
            return new QueryState.Planning();
        }

        private Answer.Rows answer() {
            return switch (answer) {
                case Answer.Rows rows -> rows;
                case Answer.Fails fails -> throw fail(fails.code(), fails.message());
                case Answer.Waits _ -> {
                    waiting.countDown();
                    try {
                        cancelled.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    throw fail(ErrorCode.CANCELLED, "cancelled");
                }
            };
        }

        private QueryException fail(ErrorCode code, String message) {
            QueryException made = new QueryException(code, "execution", message);
            failure = made;
            return made;
        }

        @Override
        public QueryRows rows() {
            Answer.Rows script = answer();
            List<ResultColumn> columns = script.columns().stream()
                    .map(name -> new ResultColumn(name, "VARCHAR"))
                    .toList();
            Deque<Row> left = new ArrayDeque<>();
            script.rows().forEach(row -> left.add(Row.of(columns, row.toArray())));
            return new QueryRows() {
                @Override
                public List<ResultColumn> columns() {
                    return columns;
                }

                @Override
                public Optional<Row> next() {
                    return Optional.ofNullable(left.poll());
                }

                @Override
                public List<Row> toList() {
                    return new ArrayList<>(left);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public FileResult awaitFile() {
            List<String> lines = request.work() instanceof QueryWork.ImportRows(RowSource source, var _, var _)
                    ? imported(source)
                    : answer().rows().stream().map(Object::toString).toList();
            Path file = switch (request.work()) {
                case QueryWork.WriteFile write -> write.temporary();
                case QueryWork.ImportRows rows -> rows.temporary();
                case QueryWork.Select _ -> throw new IllegalStateException("no file");
            };
            try {
                Files.write(file, lines);
                return new FileResult(file, lines.size(), Files.size(file));
            } catch (IOException impossible) {
                throw new AssertionError(impossible);
            }
        }

        private List<String> imported(RowSource source) {
            List<String> lines = new ArrayList<>();
            try (source) {
                lines.add(source.columns().toString());
                for (@Nullable Object @Nullable [] row = source.next(); row != null; row = source.next()) {
                    lines.add(Arrays.toString(row));
                }
            } catch (Exception broken) {
                QueryException made =
                        new QueryException(ErrorCode.ENGINE_ERROR, "execution", "import", Facts.none(), broken);
                failure = made;
                throw made;
            }
            return lines;
        }

        @Override
        public QuerySummary await() {
            QueryException error = failure;
            return new QuerySummary(
                    attemptId(),
                    request.label(),
                    "scripted",
                    error == null ? QuerySummary.Outcome.SUCCEEDED : QuerySummary.Outcome.FAILED,
                    error,
                    "EXECUTION",
                    null,
                    null,
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ZERO,
                    64L << 20,
                    1L << 20,
                    null,
                    1L,
                    error == null);
        }

        @Override
        public Optional<QuerySummary> summary() {
            return Optional.of(await());
        }

        @Override
        public QueryProgress progress() {
            return new QueryProgress(OptionalDouble.empty(), 0, 0);
        }

        @Override
        public void cancel(CancelReason reason) {
            cancelled.countDown();
        }
    }
}
