package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.wiring.Repositories;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.jdbc.postgres.PostgresRoles;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "schema",
        description = {
            "Looks after the tables of a repository.",
            "status tells their version; migrate makes them or brings them forward, as a role that owns them;"
                    + " roles prints a script that makes PostgreSQL roles with the least rights."
        })
final class SchemaCommand extends RepositoryCommand {
    /** What is done. */
    enum Action {
        STATUS,
        MIGRATE,
        ROLES;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "ACTION", description = "status, migrate or roles.")
    Action action = Action.STATUS;

    SchemaCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return switch (action) {
            case STATUS -> status(workspace());
            case MIGRATE -> migrate(workspace());
            case ROLES -> roles();
        };
    }

    private ExitCode roles() {
        if (json) {
            Map<String, @Nullable Object> document = Documents.labelled("weighlock.schema-roles/1");
            document.put("script", PostgresRoles.script());
            printJson(document);
        } else {
            terminal().out().print(PostgresRoles.script());
        }
        return ExitCode.DONE;
    }

    private ExitCode status(Workspace workspace) {
        SchemaStatus status = Repositories.schema(workspace);
        if (json) {
            printJson(document(workspace, status));
        } else {
            terminal().line(workspace.repository().name() + ": " + status.text());
        }
        return ExitCode.DONE;
    }

    private ExitCode migrate(Workspace workspace) throws Exception {
        SchemaStatus before = Repositories.schema(workspace);
        switch (before) {
            case SchemaStatus.Newer newer -> throw refused(workspace, newer);
            case SchemaStatus.Changed changed -> throw refused(workspace, changed);
            case SchemaStatus.Uninitialised _, SchemaStatus.Older _, SchemaStatus.Current _ -> {}
        }
        workspace.repository().create();
        int applied = Repositories.migrate(workspace);
        SchemaStatus after = Repositories.schema(workspace);
        if (json) {
            Map<String, @Nullable Object> document = document(workspace, after);
            document.put("applied", applied);
            printJson(document);
        } else {
            terminal()
                    .line(workspace.repository().name() + ": " + (applied == 0 ? "nothing to do, " : "migrated, ")
                            + after.text());
        }
        return ExitCode.DONE;
    }

    private static CommandFailure refused(Workspace workspace, SchemaStatus status) {
        return new CommandFailure(
                ExitCode.REFUSED,
                "the repository " + workspace.repository().name() + " is not migrated: " + status.text(),
                "use the program that made it");
    }

    private static Map<String, @Nullable Object> document(Workspace workspace, SchemaStatus status) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.schema/1");
        document.put("repository", workspace.repository().name());
        document.put("status", status.word());
        document.put("version", status.version());
        document.put("needed", status.needed());
        return document;
    }
}
