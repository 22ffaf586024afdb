package dev.weighlock.jobs.file;

import static dev.weighlock.jobs.yaml.Scalars.CHARACTER;
import static dev.weighlock.jobs.yaml.Scalars.DURATION_TEXT;
import static dev.weighlock.jobs.yaml.Scalars.FLAG;
import static dev.weighlock.jobs.yaml.Scalars.NON_EMPTY;
import static dev.weighlock.jobs.yaml.Scalars.SIZE_TEXT;
import static dev.weighlock.jobs.yaml.Scalars.TEXT;
import static dev.weighlock.jobs.yaml.Scalars.constant;
import static dev.weighlock.jobs.yaml.Scalars.fraction;
import static dev.weighlock.jobs.yaml.Scalars.whole;

import dev.weighlock.jobs.yaml.ScalarShape;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.Shape;
import java.util.Optional;
import java.util.regex.Pattern;

/** Every key of a step, with the readers and writers that are not built marked so. */
final class StepGrammar {
    private static final Pattern CLASS_NAME =
            Pattern.compile("(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*");

    static final ScalarShape<String> NAME = Scalars.name(128);
    static final ScalarShape<String> CLASS = new ScalarShape<>(
            "the full name of a class such as com.example.MyStep",
            text -> Optional.of(text).filter(name -> CLASS_NAME.matcher(name).matches()));
    static final ScalarShape<String> VARIABLE = new ScalarShape<>(
            "the name of a variable, without '=' or blanks",
            text -> Optional.of(text).filter(name -> name.matches("[^=\\s\\p{Cntrl}]{1,128}")));
    static final ScalarShape<Long> NUMBER_OF_EXIT = whole(0, 255);
    static final ScalarShape<Long> COUNT = whole(1, Integer.MAX_VALUE);
    static final ScalarShape<Long> ROWS = whole(1, Long.MAX_VALUE);
    static final ScalarShape<Long> LIMIT = whole(0, Integer.MAX_VALUE);
    static final ScalarShape<Long> CHUNK_SIZE = whole(1, 1_000_000);
    static final ScalarShape<Long> WORKERS = whole(1, 1024);
    static final ScalarShape<Double> FACTOR = fraction(1, 100);
    static final ScalarShape<Double> JITTER = fraction(0, 1);
    static final ScalarShape<OutputKeys.Compression> COMPRESSION = constant(OutputKeys.Compression.class);
    static final ScalarShape<ChunkKeys.Delivery> DELIVERY = constant(ChunkKeys.Delivery.class);
    static final ScalarShape<ChunkKeys.InFlight> IN_FLIGHT = constant(ChunkKeys.InFlight.class);
    static final ScalarShape<CsvKeys.OnMissing> ON_MISSING = constant(CsvKeys.OnMissing.class);
    static final ScalarShape<TableKeys.Mode> MODE = constant(TableKeys.Mode.class);
    static final ScalarShape<OnFailure> ON_FAILURE = constant(OnFailure.class);

    private static final Shape NAMES = Shape.nonEmptyListOf(NAME);

    private static final Shape OUTPUT = Shape.record("'output'")
            .optional("parquet", NON_EMPTY)
            .optional("csv", NON_EMPTY)
            .optional("jsonl", NON_EMPTY)
            .optional("header", FLAG)
            .optional("delimiter", CHARACTER)
            .optional("quote", CHARACTER)
            .optional("compression", COMPRESSION)
            .exactlyOne("parquet", "csv", "jsonl")
            .build();

    private static final Shape QUERY = Shape.record("a query step")
            .optional("sql", NON_EMPTY)
            .optional("file", NON_EMPTY)
            .optional("output", OUTPUT)
            .optional("cap", SIZE_TEXT)
            .optional("pool", NAME)
            .optional("deadline", DURATION_TEXT)
            .optional("engine", NAME)
            .optional("max_rows", ROWS)
            .exactlyOne("sql", "file")
            .build();

    private static final Shape SOURCE = Shape.record("a source step")
            .required("connection", NAME)
            .optional("sql", NON_EMPTY)
            .optional("file", NON_EMPTY)
            .optional("order_by", NAMES)
            .required(
                    "output",
                    Shape.record("the output of a source step")
                            .required("parquet", NON_EMPTY)
                            .optional("compression", COMPRESSION)
                            .build())
            .optional("fetch", COUNT)
            .optional("cap", SIZE_TEXT)
            .optional("pool", NAME)
            .optional("deadline", DURATION_TEXT)
            .exactlyOne("sql", "file")
            .build();

    private static final Shape COLUMN = Shape.either(
            NON_EMPTY,
            Shape.record("a column")
                    .required("type", NON_EMPTY)
                    .optional("width", COUNT)
                    .build());

    private static final Shape READ = Shape.record("'read'")
            .optional("csv", NON_EMPTY)
            .unsupported("fixed", NON_EMPTY)
            .unsupported("jsonl", NON_EMPTY)
            .unsupported("parquet", NON_EMPTY)
            .unsupported("sql", NON_EMPTY)
            .unsupported(
                    "jdbc",
                    Shape.record("'jdbc'")
                            .required("connection", NAME)
                            .required("sql", NON_EMPTY)
                            .optional("key", NAMES)
                            .optional("fetch", COUNT)
                            .build())
            .optional("schema", Shape.mapOf(NAME, COLUMN))
            .optional("header", FLAG)
            .optional("delimiter", CHARACTER)
            .optional("quote", CHARACTER)
            .optional("encoding", NON_EMPTY)
            .optional("compression", COMPRESSION)
            .optional("on_missing", ON_MISSING)
            .unsupported("key", NAMES)
            .exactlyOne("csv", "fixed", "jsonl", "parquet", "sql", "jdbc")
            .build();

    private static final Shape PROCESS = Shape.record("'process'")
            .optional("where", NON_EMPTY)
            .optional("set", Shape.mapOf(NAME, NON_EMPTY))
            .optional("class", CLASS)
            .build();

    private static final Shape WRITE = Shape.record("'write'")
            .optional(
                    "jdbc",
                    Shape.record("'jdbc'")
                            .required("connection", NAME)
                            .required("table", NON_EMPTY)
                            .optional("mode", MODE)
                            .optional("key", NAMES)
                            .build())
            .unsupported("csv", NON_EMPTY)
            .unsupported("jsonl", NON_EMPTY)
            .exactlyOne("jdbc", "csv", "jsonl")
            .build();

    private static final Shape RETRY = Shape.record("'retry'")
            .required("limit", LIMIT)
            .optional("on", Shape.nonEmptyListOf(CLASS))
            .optional(
                    "backoff",
                    Shape.record("'backoff'")
                            .optional("initial", DURATION_TEXT)
                            .optional("max", DURATION_TEXT)
                            .optional("factor", FACTOR)
                            .optional("jitter", JITTER)
                            .build())
            .build();

    private static final Shape SKIP = Shape.record("'skip'")
            .required("limit", LIMIT)
            .optional("on", Shape.nonEmptyListOf(CLASS))
            .build();

    private static final Shape CHUNK = Shape.record("a chunk step")
            .required("read", READ)
            .optional("process", PROCESS)
            .required("write", WRITE)
            .optional("size", CHUNK_SIZE)
            .optional("delivery", DELIVERY)
            .optional("in_flight", IN_FLIGHT)
            .optional("retry", RETRY)
            .optional("skip", SKIP)
            .optional("read_ahead", FLAG)
            .build();

    private static final Shape SHELL = Shape.record("a shell step")
            .required("command", Shape.nonEmptyListOf(TEXT))
            .optional("env", Shape.mapOf(VARIABLE, TEXT))
            .optional("exit_codes", Shape.mapOf(NUMBER_OF_EXIT, Scalars.name(64)))
            .build();

    private static final Shape JAVA = Shape.record("a java step")
            .required("class", CLASS)
            .optional("with", Shape.mapOf(NAME, TEXT))
            .build();

    private static final Shape DECISION = Shape.record("a decision")
            .optional("sql", NON_EMPTY)
            .optional("class", CLASS)
            .exactlyOne("sql", "class")
            .build();

    private static final Shape SPLIT = Shape.record("a split")
            .required("branches", Shape.nonEmptyListOf(NAMES))
            .required("join", NAME)
            .optional("workers", WORKERS)
            .optional("on_failure", ON_FAILURE)
            .build();

    private static final Shape PARTITION = Shape.record("'partition'")
            .optional("by", NON_EMPTY)
            .optional("keys", NAMES)
            .optional("class", CLASS)
            .optional("workers", WORKERS)
            .optional("on_failure", ON_FAILURE)
            .exactlyOne("by", "keys", "class")
            .build();

    static final Shape STEP = Shape.record("a step")
            .required("id", NAME)
            .optional("query", QUERY)
            .optional("source", SOURCE)
            .optional("chunk", CHUNK)
            .optional("shell", SHELL)
            .optional("java", JAVA)
            .optional("decision", DECISION)
            .optional("split", SPLIT)
            .optional("partition", PARTITION)
            .optional("start_limit", COUNT)
            .optional("allow_start_if_complete", FLAG)
            .optional("listeners", Shape.nonEmptyListOf(CLASS))
            .exactlyOne("query", "source", "chunk", "shell", "java", "decision", "split")
            .build();

    private StepGrammar() {}
}
