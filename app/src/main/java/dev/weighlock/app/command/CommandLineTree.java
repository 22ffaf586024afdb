package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.exit.Failures;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.view.Documents;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** All commands, and how their failures are said. */
public final class CommandLineTree {
    private CommandLineTree() {}

    /** The whole command line; {@code others} are commands that live in packages of their own. */
    public static CommandLine of(Invocation invocation, WlCommand... others) {
        CommandLine root = new CommandLine(new RootCommand(invocation));
        root.addSubcommand(new RunCommand(invocation));
        root.addSubcommand(new CheckCommand(invocation));
        root.addSubcommand(new JobsCommand(invocation));
        root.addSubcommand(new ExecutionsCommand(invocation));
        root.addSubcommand(new ShowCommand(invocation));
        root.addSubcommand(new LogsCommand(invocation));
        root.addSubcommand(new StopCommand(invocation));
        root.addSubcommand(new RestartCommand(invocation));
        root.addSubcommand(new AbandonCommand(invocation));
        root.addSubcommand(new HoldCommand(invocation));
        root.addSubcommand(new ReleaseCommand(invocation));
        root.addSubcommand(new RecoverCommand(invocation));
        root.addSubcommand(new PurgeCommand(invocation));
        root.addSubcommand(new SchemaCommand(invocation));
        root.addSubcommand(new QueryCommand(invocation));
        root.addSubcommand(new DevicesCommand(invocation));
        root.addSubcommand(new DoctorCommand(invocation));
        for (WlCommand other : others) {
            root.addSubcommand(other);
        }
        root.addSubcommand(new TestCommand(invocation));
        Terminal terminal = invocation.terminal();
        root.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
        root.setColorScheme(CommandLine.Help.defaultColorScheme(
                terminal.outIsTerminal() && terminal.colour() ? Ansi.ON : Ansi.OFF));
        root.setUsageHelpAutoWidth(false);
        root.setUsageHelpWidth(Math.clamp(terminal.width(), 80, 120));
        root.setExitCodeExceptionMapper(thrown -> Failures.of(thrown).code().number());
        root.setParameterExceptionHandler((exception, words) ->
                sayUsage(terminal, exception, List.of(words).contains("--json")));
        root.setExecutionExceptionHandler((exception, command, parsed) -> sayFailure(terminal, exception, parsed));
        root.getHelpSectionMap().put("exitCodeList", help -> exitCodes());
        root.getHelpSectionMap().put("exitCodeListHeading", help -> "%nExit codes:%n".formatted());
        return root;
    }

    private static int sayUsage(Terminal terminal, ParameterException problem, boolean json) {
        String name = problem.getCommandLine().getCommandSpec().qualifiedName();
        String suggestions = suggestions(problem);
        String hint = suggestions.isEmpty() ? "see '" + name + " --help'" : suggestions;
        if (json) {
            sayJson(terminal, new CommandFailure(ExitCode.USAGE, String.valueOf(problem.getMessage()), hint));
        } else {
            terminal.note("wl: " + problem.getMessage());
            terminal.note(hint);
        }
        return ExitCode.USAGE.number();
    }

    /** The last line of the error stream, so that what a command printed before stays what it was. */
    private static void sayJson(Terminal terminal, CommandFailure failure) {
        Json.print(terminal.err(), Documents.error(failure));
    }

    private static String suggestions(ParameterException problem) {
        if (problem instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            return "did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
        }
        return "";
    }

    private static int sayFailure(Terminal terminal, Exception thrown, ParseResult parsed) {
        CommandFailure failure = Failures.of(thrown);
        if (isDebug(parsed)) {
            thrown.printStackTrace(terminal.err());
        }
        if (parsed.originalArgs().contains("--json")) {
            sayJson(terminal, failure);
        } else {
            say(terminal, failure);
        }
        return failure.code().number();
    }

    private static void say(Terminal terminal, CommandFailure failure) {
        String message = failure.getMessage();
        if (message != null && !message.isEmpty()) {
            terminal.note("wl: " + message);
        }
        if (failure.remedy() != null) {
            terminal.note("    " + failure.remedy());
        }
    }

    private static boolean isDebug(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.commandSpec().userObject() instanceof WlCommand command && command.debug();
    }

    private static String exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        for (ExitCode code : ExitCode.values()) {
            codes.put(String.valueOf(code.number()), code.meaning());
        }
        StringBuilder text = new StringBuilder();
        codes.forEach((number, meaning) -> text.append("%5s  %s%n".formatted(number, meaning)));
        return text.toString();
    }
}
