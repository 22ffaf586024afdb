package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.log.JsonLines;
import dev.weighlock.app.log.LogFiles;
import dev.weighlock.app.log.LogFollower;
import dev.weighlock.batch.repository.JobRepository;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "logs", description = "Prints the log of one execution; with --json one document a line.")
final class LogsCommand extends RepositoryCommand {
    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on printing until the execution is over.")
    boolean follow;

    LogsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::print);
    }

    private ExitCode print(JobRepository repository) throws Exception {
        execution(repository, id);
        Path file = LogFiles.of(workspace().repository().logFolder(), id);
        if (!follow && !Files.exists(file)) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "execution " + id + " has no log at " + file,
                    "it ran on another machine, or its log was removed");
        }
        try (JsonLines lines = new JsonLines(terminal().out());
                PrintStream asJson = new PrintStream(lines, true, StandardCharsets.UTF_8)) {
            print(repository, new LogFollower(file, json ? asJson : terminal().out()));
        }
        if (follow && isOrphan(repository, id)) {
            sayOrphan(id);
        }
        return ExitCode.DONE;
    }

    private void print(JobRepository repository, LogFollower follower) throws Exception {
        follower.copyNew();
        if (follow) {
            follower.followWhile(() -> execution(repository, id).status().isActive()
                    && !isOrphan(repository, id)
                    && !terminal().out().checkError());
        }
    }
}
