package dev.weighlock.app.command;

import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.WaitingLaunch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Waits in the foreground until a launch has its slot, and says its place. Ctrl-C or SIGTERM cancels it. */
final class SlotWait {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Terminal terminal;
    private final ShutdownBySignal signalled;
    private final Duration pause;

    SlotWait(Terminal terminal, ShutdownBySignal signalled, Duration pause) {
        this.terminal = terminal;
        this.signalled = signalled;
        this.pause = pause;
    }

    /** After a signal the process begins nothing any more, which then is the result. */
    LaunchResult await(WaitingLaunch waiting) throws InterruptedException {
        try (waiting) {
            int said = 0;
            Optional<LaunchResult> result = Optional.empty();
            while (result.isEmpty()) {
                if (waiting.place() != said) {
                    said = waiting.place();
                    sayPlace(waiting);
                }
                pauseUnlessSignalled();
                result = waiting.tryLaunch();
            }
            return result.get();
        }
    }

    private void pauseUnlessSignalled() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + pause.toNanos();
        while (!signalled.isRequested() && System.nanoTime() < end) {
            never.await(LOOK.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void sayPlace(WaitingLaunch waiting) {
        String running = waiting.running().stream()
                .map(execution -> String.valueOf(execution.id()))
                .collect(Collectors.joining(", "));
        terminal.note("waiting as launch request " + waiting.request().name() + ", place " + waiting.place()
                + (running.isEmpty() ? "" : "; running: execution " + running) + " (Ctrl-C or 'wl stop "
                + waiting.request().name() + "' cancels it)");
    }
}
