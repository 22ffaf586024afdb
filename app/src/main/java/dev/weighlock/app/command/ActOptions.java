package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.operate.Instruction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is said beside an act, for the audit. */
final class ActOptions {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for the audit.")
    String reason = "";

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "A word of your own for this act: with the same one again it changes nothing.")
    @Nullable
    String key;

    Instruction by(String actor) {
        try {
            return new Instruction(actor, reason, Optional.ofNullable(key));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), "choose another key", e);
        }
    }
}
