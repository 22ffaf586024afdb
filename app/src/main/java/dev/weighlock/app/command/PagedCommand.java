package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.wiring.RepositoryPlace;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.Page;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A list, newest first, a page at a time. */
abstract class PagedCommand extends RepositoryCommand {
    private static final int MOST = 1_000;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "Rows on a page, 20 by default.")
    int limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Continues where an earlier page ended.")
    @Nullable
    String after;

    PagedCommand(Invocation invocation) {
        super(invocation);
    }

    final int limit() {
        return Math.clamp(limit, 1, MOST);
    }

    final Optional<String> cursor() {
        return Optional.ofNullable(after);
    }

    /** Lists what the repository records; where nothing was ever run, that is an empty list and no failure. */
    final ExitCode list(Listing listing) throws Exception {
        RepositoryPlace place = workspace().repository();
        if (place.exists()) {
            return look(repository -> {
                listing.print(Optional.of(repository));
                return ExitCode.DONE;
            });
        }
        terminal().note("nothing ran here yet: there is no repository at " + place.name());
        listing.print(Optional.empty());
        return ExitCode.DONE;
    }

    /** Prints a page; without a repository an empty one. */
    interface Listing {
        void print(Optional<JobRepository> repository);
    }

    static <T> Page<T> emptyPage() {
        return new Page<>(List.of(), Optional.empty());
    }

    final void sayWhereToContinue(Optional<String> next, String command) {
        next.ifPresent(cursor -> terminal().note("more: wl " + command + " --after " + cursor));
    }
}
