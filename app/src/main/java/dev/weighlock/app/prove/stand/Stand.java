package dev.weighlock.app.prove.stand;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.host.LockFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;

/**
 * What one report works with: the database, the campaign's settings, the heartbeat rows of its workers, and a watcher. Rows
 * of campaigns are removed from the repository before and after it.
 *
 * <p>Thread-safe. {@link ReportRun} makes and closes it.
 */
public final class Stand implements AutoCloseable {
    private final Target target;
    private final Settings settings;
    private final Path folder;
    private final OwnRows rows;
    private final Bodies bodies;
    private final long foundRows;

    private Stand(Target target, Settings settings, Path folder) {
        this.target = target;
        this.settings = settings;
        this.folder = folder;
        this.rows = new OwnRows(target);
        this.bodies = new Bodies(target);
        this.foundRows = rows.remove();
        makeSchema(target);
    }

    private static void makeSchema(Target target) {
        try {
            target.makeSchema();
            Bodies.makeTable(target);
        } catch (SQLException e) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    "the schema " + Target.SCHEMA + " of the campaign cannot be made in " + target.url() + ": "
                            + e.getMessage(),
                    "the user needs the right to make a schema there: GRANT CREATE ON DATABASE",
                    e);
        }
    }

    /**
     * Begins a campaign: takes its turn, and looks whether it may work.
     *
     * @return closed by the caller when the campaign is over
     * @throws CommandFailure CONFLICT while another one runs there, REFUSED where the user lacks a right
     * @throws dev.weighlock.batch.BatchException where the repository cannot be opened
     */
    public static Target.Turn begin(Target target) throws SQLException {
        // First of all: its error says best what is wrong with the database.
        target.open(1).close();
        Target.Turn turn = target.turn().orElseThrow(() -> OwnRows.another(target, "it holds its lock there"));
        try {
            OwnRows rows = new OwnRows(target);
            rows.requireNobodyElse();
            rows.requireRights();
            makeSchema(target);
            target.removeSchema();
            return turn;
        } catch (SQLException | RuntimeException e) {
            turn.close();
            throw e;
        }
    }

    /** @param folder exists, and is removed by the caller */
    static Stand raise(Target target, Settings settings, Path folder) {
        return new Stand(target, settings, folder);
    }

    public Target target() {
        return target;
    }

    public Settings settings() {
        return settings;
    }

    /** For files of the report. */
    public Path folder() {
        return folder;
    }

    public Bodies bodies() {
        return bodies;
    }

    /** How many rows of earlier campaigns, which did not end in order, were removed before this one. */
    long foundRows() {
        return foundRows;
    }

    /** The name of a job of this report; its rows are known by it. */
    public String job(String name) {
        return OwnRows.JOBS + name;
    }

    /** Watches the newest execution of a job, from another process; the caller closes it. */
    public Watcher watch(String job) throws IOException, InterruptedException {
        return Watcher.start(target, folder, job);
    }

    /**
     * A node of this campaign: known by its id, and without business with other jobs' dead owners. The caller may say
     * more, and starts it.
     */
    public NodeRuntime.Builder node(JobRepository repository) {
        return nodeOn(repository);
    }

    /** The same in a process of its own, which has no stand. */
    public static NodeRuntime.Builder nodeOn(JobRepository repository) {
        return NodeRuntime.on(repository)
                .node(nodeInfo())
                .recovers(dead -> dead.instance().name().value().startsWith(OwnRows.JOBS));
    }

    private static NodeInfo nodeInfo() {
        return new NodeInfo(
                OwnRows.NODES + UUID.randomUUID(),
                host(),
                ProcessHandle.current().pid());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private interface Removal extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    /** Removes what the report left; each part also where another one fails. */
    @Override
    public void close() throws SQLException {
        try (Removal _ = target::removeSchema;
                Removal _ = this::removeLockFiles;
                bodies) {
            rows.remove();
        }
    }

    /** Those of nodes that were killed; a live node holds its own, which stays. */
    private void removeLockFiles() {
        if (!Files.isDirectory(target.nodes())) {
            return;
        }
        try (var files = Files.newDirectoryStream(target.nodes(), OwnRows.NODES + "*.lock")) {
            files.forEach(file -> LockFile.tryHold(file, "").ifPresent(LockFile::close));
        } catch (IOException e) {
            throw new UncheckedIOException("lock files of killed nodes are left in " + target.nodes(), e);
        }
    }
}
