package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.rows.RowPrinter;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.view.OperatorLines;
import dev.weighlock.app.view.QueryAccount;
import dev.weighlock.app.wiring.QuerySession;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchException;
import dev.weighlock.jobs.output.WholeFile;
import dev.weighlock.jobs.query.GuessedCsv;
import dev.weighlock.jobs.query.QueryEvidence;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryLimits;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.report.CancelReason;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "query",
        header = "Runs one query inside a fixed share of memory.",
        description = {
            "It waits for its share first and is held to it.",
            "Reads files below the current folder only, for example",
            "  wl query \"SELECT count(*) FROM 'data/*.parquet'\""
        })
final class QueryCommand extends WlCommand {
    private static final long ROWS_BETWEEN_LOOKS = 1_000;

    /** What comes out. */
    enum Format {
        table,
        csv,
        jsonl,
        parquet,
        arrow
    }

    @Parameters(paramLabel = "SQL", description = "One SELECT statement.")
    String sql = "";

    @Option(
            names = "--cap",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Its memory, such as 512MiB.")
    @Nullable
    Long cap;

    @Option(names = "--pool", paramLabel = "NAME", description = "The pool of weighlock.yaml it belongs to.")
    String pool = QueryLimits.DEFAULT_POOL;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Ends it after this long, waiting included, such as 10m.")
    @Nullable
    Duration deadline;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "table (default), csv, jsonl or arrow (IPC stream); parquet with --output.")
    Format format = Format.table;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Writes csv, jsonl, parquet or arrow to this file, whole or not at all.")
    @Nullable
    Path output;

    @Option(
            names = "--profile",
            description = "Says afterwards what it waited for, was granted and used, and what each operator did.")
    boolean profile;

    @Option(names = "--json", description = "Prints one JSON document: columns with their types, then the rows.")
    boolean json;

    QueryCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        checkFormat();
        Workspace workspace = Workspace.of(invocation().folder(), invocation().environment(), null);
        try (ShutdownBySignal signalled = new ShutdownBySignal(invocation());
                QuerySession session = QuerySession.open(workspace)) {
            signalled.reaches(actor -> session.requestShutdown());
            try {
                return output == null
                        ? print(session, signalled)
                        : write(
                                session,
                                signalled,
                                invocation().folder().resolve(output).normalize());
            } catch (BatchException | QueryException failure) {
                if (!signalled.isRequested()) {
                    throw failure;
                }
                return signalled.code();
            } finally {
                if (signalled.isRequested()) {
                    Duration limit = workspace.settings().shutdown().deadline();
                    DrainText.of(session.drain(), limit).forEach(terminal()::note);
                }
            }
        }
    }

    private void checkFormat() {
        if (sql.isBlank()) {
            throw new CommandFailure(ExitCode.USAGE, "the SQL text is empty", "give one SELECT statement");
        }
        if (json && (format != Format.table || output != null)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--json is a format of its own", "leave --format and --output out");
        }
        if (format == Format.arrow && output == null && terminal().outIsTerminal()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "an Arrow stream is not for a terminal", "add --output FILE or a pipe");
        }
        if (format == Format.parquet && output == null) {
            throw new CommandFailure(ExitCode.USAGE, "--format parquet needs a file", "add --output FILE.parquet");
        }
        if (format == Format.table && output != null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--output needs a format for files", "add --format parquet, csv, jsonl or arrow");
        }
    }

    private ExitCode print(QuerySession session, ShutdownBySignal signalled) throws Exception {
        if (format != Format.arrow) {
            return printRows(session);
        }
        PipeStream out = new PipeStream(terminal().out());
        try {
            return streamArrow(session, signalled, out) < 0 ? signalled.code() : ExitCode.DONE;
        } catch (QueryException failure) {
            if (out.isBroken()) {
                return ExitCode.FAILED;
            }
            throw failure;
        }
    }

    private ExitCode write(QuerySession session, ShutdownBySignal signalled, Path target) throws Exception {
        return format == Format.arrow ? writeArrow(session, signalled, target) : writeFile(session, signalled, target);
    }

    private ExitCode printRows(QuerySession session) throws Exception {
        QueryHandle handle = session.submit(limited(QueryRequest.select(sql, Map.of())));
        PrintStream out = buffered();
        try (QueryRows rows = handle.rows()) {
            RowPrinter printer = printer(out);
            if (!print(rows, printer, out)) {
                handle.cancel(CancelReason.CLIENT_LOST);
                return terminal().readerGone() ? ExitCode.DONE : ExitCode.FAILED;
            }
            printer.end(profile ? QueryEvidence.figures(handle.await()) : null);
        } finally {
            out.flush();
        }
        tell(session, handle);
        return ExitCode.DONE;
    }

    /** Tells whether somebody read to the end; a closed pipe is looked for now and then, because looking flushes. */
    private boolean print(QueryRows rows, RowPrinter printer, PrintStream out) {
        printer.begin(rows.columns());
        long count = 0;
        for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
            printer.row(row.get());
            count++;
            if (count % ROWS_BETWEEN_LOOKS == 0 && isBroken(out)) {
                return false;
            }
        }
        return true;
    }

    /** A stream hides the errors of the one below it. */
    private boolean isBroken(PrintStream out) {
        return out.checkError() || terminal().out().checkError();
    }

    private ExitCode writeFile(QuerySession session, ShutdownBySignal signalled, Path target) throws Exception {
        List<Path> folder = List.of(Optional.ofNullable(target.getParent()).orElseThrow());
        try (WholeFile file = WholeFile.prepareForProcess(target, folder)) {
            QueryRequest request = QueryRequest.writeFile(sql, Map.of(), fileFormat(), file.temporary());
            QueryHandle handle = session.submit(limited(request).writing(folder));
            if (!awaitEndOrSignal(handle, signalled)) {
                return signalled.code();
            }
            long rows = handle.awaitFile().rows();
            terminal()
                    .note("wrote " + Units.count(rows) + " rows to "
                            + file.publish().path());
            tell(session, handle);
            return ExitCode.DONE;
        }
    }

    private ExitCode writeArrow(QuerySession session, ShutdownBySignal signalled, Path target) throws Exception {
        List<Path> folder = List.of(Optional.ofNullable(target.getParent()).orElseThrow());
        try (WholeFile file = WholeFile.prepareForProcess(target, folder)) {
            long rows;
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file.temporary()), 1 << 16)) {
                rows = streamArrow(session, signalled, out);
            }
            if (rows < 0) {
                return signalled.code();
            }
            terminal()
                    .note("wrote " + Units.count(rows) + " rows to "
                            + file.publish().path());
            return ExitCode.DONE;
        }
    }

    /** The number of rows that were written; negative where a signal came first. */
    private long streamArrow(QuerySession session, ShutdownBySignal signalled, OutputStream out) throws Exception {
        QueryHandle handle = session.submit(limited(QueryRequest.writeArrow(sql, Map.of(), out)));
        if (!awaitEndOrSignal(handle, signalled)) {
            return -1;
        }
        QueryException failure = handle.await().error();
        if (failure != null) {
            throw failure;
        }
        tell(session, handle);
        return Objects.requireNonNull(handle.await().resultRows());
    }

    /** Whether the query ended: an engine that does not listen to its cancel must not keep this thread from the drain. */
    private static boolean awaitEndOrSignal(QueryHandle handle, ShutdownBySignal signalled) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread.ofVirtual().name("weighlock-await-query").start(() -> {
            try {
                handle.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.complete(null);
            }
        });
        CompletableFuture.anyOf(ended, signalled.requested()).join();
        return ended.isDone();
    }

    private QueryRequest limited(QueryRequest request) {
        QueryRequest limited = request.with(new QueryLimits(cap, pool, deadline, null, null))
                .reading(List.of(invocation().folder()))
                .label("wl query");
        return profile ? limited.profile() : limited;
    }

    /** What stands beside the result: guesses that it rests on, and its account. */
    private void tell(QuerySession session, QueryHandle handle) throws InterruptedException {
        QuerySummary summary = handle.await();
        GuessedCsv.notes(session::submit, handle.request(), summary)
                .forEach(note -> terminal().note("note: " + note));
        if (profile) {
            QueryAccount.of(summary).lines().forEach(terminal()::note);
            Optional.ofNullable(summary.profile())
                    .ifPresent(operators -> OperatorLines.of(operators).forEach(terminal()::note));
        }
    }

    private PrintStream buffered() {
        if (terminal().outIsTerminal()) {
            return terminal().out();
        }
        return new PrintStream(new BufferedOutputStream(terminal().out(), 1 << 16), false, StandardCharsets.UTF_8);
    }

    private RowPrinter printer(PrintStream out) {
        if (json) {
            return RowPrinter.jsonDocument(out);
        }
        return switch (format) {
            case table -> RowPrinter.table(out);
            case csv -> RowPrinter.csv(out);
            case jsonl -> RowPrinter.jsonLines(out);
            case parquet, arrow -> throw new IllegalStateException("refused before");
        };
    }

    private FileOutput fileFormat() {
        return switch (format) {
            case csv -> FileOutput.csv();
            case jsonl -> FileOutput.jsonLines();
            case parquet -> FileOutput.parquet();
            case table, arrow -> throw new IllegalStateException("refused before");
        };
    }
}
