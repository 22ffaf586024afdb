package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Launches that wait for a slot of their job, the next one first. */
public final class QueueView {
    private QueueView() {}

    public static void print(Terminal terminal, List<QueuedLaunch> waiting, Instant now) {
        Table table = new Table("#WAITING", "JOB", "#SINCE", "BY", "PROCESS", "PARAMETERS");
        for (QueuedLaunch request : waiting) {
            table.row(
                    request.name(),
                    request.job().value(),
                    Phrases.took(Optional.of(request.requestedAt()), Optional.empty(), now),
                    request.actor(),
                    request.waiter().pid() + " on " + request.waiter().host(),
                    Phrases.parameters(request.parameters()));
        }
        table.print(terminal);
    }
}
