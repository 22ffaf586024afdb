package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.operate.RecoveryProposal;
import dev.weighlock.batch.repository.JobRepository;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "recover",
        header = "Decides by hand what became of an execution.",
        description = {
            "For one whose outcome is UNKNOWN, or whose process is gone. Without --apply it shows what is recorded, and a",
            "digest of that; look at the outputs, then name the digest and your decision."
        })
final class RecoverCommand extends RepositoryCommand {
    /** What a person may decide. */
    enum Outcome {
        FAILED,
        ABANDONED
    }

    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    @Option(names = "--apply", paramLabel = "DIGEST", description = "The digest that the decision is based on.")
    @Nullable
    String digest;

    @Option(
            names = "--as",
            paramLabel = "OUTCOME",
            description = "FAILED, which 'wl restart' goes on with, or ABANDONED.")
    @Nullable
    Outcome outcome;

    @Mixin
    ActOptions act = new ActOptions();

    RecoverCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(repository -> digest == null ? propose(repository) : apply(repository, digest));
    }

    private ExitCode propose(JobRepository repository) {
        if (outcome != null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--as needs --apply DIGEST", "'wl recover " + id + "' alone prints the digest");
        }
        execution(repository, id);
        RecoveryProposal proposal = new JobOperator(repository).proposeRecovery(id);
        if (json) {
            printJson(document(proposal));
            return ExitCode.DONE;
        }
        terminal().line(proposal.evidence().strip());
        terminal().line("digest " + proposal.digest());
        terminal()
                .note("    look at its outputs and 'wl logs " + id + "', then 'wl recover " + id + " --apply "
                        + proposal.digest() + " --as FAILED|ABANDONED --reason TEXT'");
        return ExitCode.DONE;
    }

    private static Object document(RecoveryProposal proposal) {
        var document = Documents.labelled("weighlock.recovery/1");
        document.put("execution", Documents.execution(proposal.execution()));
        document.put("evidence", proposal.evidence().lines().toList());
        document.put("digest", proposal.digest());
        return document;
    }

    private ExitCode apply(JobRepository repository, String named) {
        if (outcome == null || act.reason.isBlank()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--apply needs the decision and its reason",
                    "add --as FAILED or --as ABANDONED, and --reason TEXT");
        }
        execution(repository, id);
        var recovered = new JobOperator(repository)
                .recover(
                        id,
                        named,
                        BatchStatus.valueOf(outcome.name()),
                        act.by(invocation().actor()));
        if (json) {
            printJson(Documents.acted(
                    "weighlock.recovered/1", Documents.execution(recovered.value()), recovered.changed()));
        } else {
            terminal()
                    .line("execution " + id + " is " + recovered.value().status()
                            + (recovered.changed() ? "" : "; that was decided before, and nothing was changed"));
        }
        return ExitCode.DONE;
    }
}
