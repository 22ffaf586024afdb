package dev.weighlock.bench;

import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.testkit.load.TpchQuery;
import dev.weighlock.query.testkit.load.TpchTables;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Q4: the 22 queries of TPC-H over Parquet files, one after another: through the runtime, beside one warm instance of the
 * driver's and beside an instance for each query. All sides have the same threads and the same memory limit, and their answers
 * are compared.
 */
public final class TpchBench {
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final long GRANT = 2048 * OpenRuntime.MIB;
    private static final long ENGINE = PlainDuckDb.engineBytes(GRANT);

    private final Path work;
    private final Path data;
    private final int pairs;

    private TpchBench(Path work, Path data, int pairs) {
        this.work = work;
        this.data = data;
        this.pairs = pairs;
    }

    /** The scale (1), how many pairs (5), and the folder where the data stays (bench/work). */
    public static void main(String[] args) throws Exception {
        double scale = args.length > 0 ? Double.parseDouble(args[0]) : 1;
        int pairs = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        Path work = Path.of(args.length > 2 ? args[2] : "bench/work").toAbsolutePath();
        new TpchBench(work, data(work, scale), pairs).run(scale);
    }

    /** Generates it where it is not there. */
    private static Path data(Path work, double scale) throws Exception {
        Path data = work.resolve(String.format(Locale.ROOT, "tpch-%s", scale));
        if (!Files.isDirectory(data)) {
            System.out.printf(Locale.ROOT, "generating TPC-H at scale %s in %s%n", scale, data);
            Path unfinished = Files.createDirectories(data.resolveSibling(data.getFileName() + ".unfinished"));
            try (var runtime = open(work)) {
                TpchTables.write(runtime.backend, unfinished.toRealPath(), scale);
            }
            Files.move(unfinished, data);
        }
        return data.toRealPath();
    }

    private static OpenRuntime open(Path work) {
        return OpenRuntime.open(work, new OpenRuntime.Limits(4096 * OpenRuntime.MIB, 1, THREADS, 8));
    }

    /** Runs a query's text. */
    private interface Side {
        List<List<String>> answer(String sql) throws Exception;
    }

    private void run(double scale) throws Exception {
        var queries = TpchQuery.all()
                .map(query -> new TpchQuery(query.number(), TpchTables.over(data, query.sql()), query.answer()))
                .toList();
        try (var runtime = open(work);
                var connection = PlainDuckDb.open(ENGINE, THREADS, temp())) {
            Side ours = sql -> ours(runtime, sql);
            Side warm = sql -> texts(PlainDuckDb.rows(connection, sql));
            compare(queries, ours, warm);
            measure(
                    String.format(Locale.ROOT, "SF %s, 22 queries", scale),
                    queries,
                    List.of(ours, warm, this::onNewInstance));
        }
    }

    /** Query by query, the sides in turns, so that what else runs on the machine meets all of them. */
    private void measure(String what, List<TpchQuery> queries, List<Side> sides) throws Exception {
        var beside = List.of(
                new Comparison("Q4", what, "s", "runtime", "one warm instance"),
                new Comparison("Q4", what, "s", "runtime", "an instance each"));
        var processor = List.of(
                new Comparison("Q4", "their processor time", "s", "runtime", "one warm instance"),
                new Comparison("Q4", "their processor time", "s", "runtime", "an instance each"));
        var byQuery = new double[queries.size()][sides.size()];
        for (int pair = 0; pair < pairs; pair++) {
            var wall = new double[sides.size()];
            var cpu = new double[sides.size()];
            for (int query = 0; query < queries.size(); query++) {
                for (int turn = 0; turn < sides.size(); turn++) {
                    int side = (turn + pair + query) % sides.size();
                    long busy = Processor.nanos();
                    long start = System.nanoTime();
                    sides.get(side).answer(queries.get(query).sql());
                    double seconds = (System.nanoTime() - start) / 1e9;
                    wall[side] += seconds;
                    byQuery[query][side] += seconds;
                    cpu[side] += (Processor.nanos() - busy) / 1e9;
                }
            }
            for (int other = 1; other < sides.size(); other++) {
                beside.get(other - 1).add(wall[0], wall[other]);
                processor.get(other - 1).add(cpu[0], cpu[other]);
            }
        }
        printByQuery(queries, byQuery);
        Comparison.print(List.of(beside.get(0), beside.get(1), processor.get(0), processor.get(1)));
    }

    private String temp() {
        return work.resolve("spill-plain").toString();
    }

    private List<List<String>> ours(OpenRuntime runtime, String sql) throws InterruptedException {
        var request = QueryRequest.select(sql, Map.of()).cap(GRANT).reading(List.of(data));
        return texts(runtime.rows(request).stream().map(Row::values).toList());
    }

    private List<List<String>> onNewInstance(String sql) throws SQLException {
        try (var connection = PlainDuckDb.open(ENGINE, THREADS, temp())) {
            return texts(PlainDuckDb.rows(connection, sql));
        }
    }

    /** Once each, which also warms both sides. */
    private static void compare(List<TpchQuery> queries, Side ours, Side theirs) throws Exception {
        for (var query : queries) {
            var our = ours.answer(query.sql());
            var their = theirs.answer(query.sql());
            if (our.isEmpty() || !our.equals(their)) {
                throw new IllegalStateException(query + " has two answers: " + our + " and " + their);
            }
        }
        System.out.println("answers of both sides equal: " + queries.size() + " queries");
    }

    private void printByQuery(List<TpchQuery> queries, double[][] byQuery) {
        for (int i = 0; i < queries.size(); i++) {
            double our = byQuery[i][0] / pairs;
            double warm = byQuery[i][1] / pairs;
            System.out.printf(
                    Locale.ROOT,
                    "  %-4s runtime %7.3f s   warm instance %7.3f s   ratio %.2f   an instance each %7.3f s%n",
                    queries.get(i),
                    our,
                    warm,
                    our / warm,
                    byQuery[i][2] / pairs);
        }
    }

    private static List<List<String>> texts(List<List<@Nullable Object>> rows) {
        List<List<String>> texts = new ArrayList<>(rows.size());
        for (var row : rows) {
            texts.add(row.stream().map(TpchBench::text).toList());
        }
        return texts;
    }

    /** Sums of DOUBLE differ in their last digits from run to run with more than one thread. */
    private static String text(@Nullable Object value) {
        return value instanceof Double number
                ? new BigDecimal(number).round(new MathContext(9)).toString()
                : Objects.toString(value);
    }
}
