package dev.weighlock.app.doctor;

import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.wiring.Repositories;
import dev.weighlock.app.wiring.RepositoryPlace;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.RepositoryHealth;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where executions are recorded, how stop requests get there, and what dead processes left. */
final class RepositoryLook {
    private static final int MOST = 1_000;
    private static final long SKEW_MILLIS = 1_000;

    private RepositoryLook() {}

    static List<Finding> findings(Workspace here) throws IOException {
        RepositoryPlace place = here.repository();
        if (!place.exists()) {
            return List.of(Finding.ok("repository", place.name() + " (" + place.origin() + "): not made yet"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(place(place));
        // Opening brings an older file forward; the version is what it is by now.
        try (JobRepository repository = Repositories.open(here)) {
            RepositoryHealth health = repository.health();
            findings.add(Finding.ok(
                    "repository",
                    health.product() + " " + health.version() + ", schema version " + health.schemaVersion()));
            findings.add(push(health));
            findings.add(skew(health));
            findings.add(dead(repository));
            findings.addAll(waiting(repository));
        }
        return findings;
    }

    private static Finding place(RepositoryPlace place) throws IOException {
        return switch (place) {
            case RepositoryPlace.File file -> place(file);
            case RepositoryPlace.Database database ->
                Finding.ok("repository", database.name() + " (" + database.origin() + ")");
        };
    }

    private static Finding place(RepositoryPlace.File place) throws IOException {
        String what = place.file() + " (" + place.origin() + "), " + Units.bytes(Files.size(place.file()));
        String type = Files.getFileStore(place.file()).type().toLowerCase(Locale.ROOT);
        boolean network = type.startsWith("nfs") || type.startsWith("cifs") || type.startsWith("smb");
        return network
                ? Finding.problem(
                        "repository", what + " lies on a network file system (" + type + ")", "move it to a local disk")
                : Finding.ok("repository", what);
    }

    private static Finding push(RepositoryHealth health) {
        return health.push().on()
                ? Finding.ok("push", "on: " + health.push().how())
                : Finding.warning(
                        "push",
                        "off, so a stop is seen by the poll only: "
                                + health.push().how(),
                        "behind a pooler name a direct way in repository.control_url of weighlock.yaml");
    }

    private static Finding skew(RepositoryHealth health) {
        String what = health.clockSkew().toMillis() + " ms between this machine and the repository";
        return Math.abs(health.clockSkew().toMillis()) > SKEW_MILLIS
                ? Finding.warning("clock", what, "set the clocks by NTP: times in lists would mislead")
                : Finding.ok("clock", what);
    }

    private static Finding dead(JobRepository repository) {
        List<DeadExecution> dead = repository.deadExecutions();
        if (dead.isEmpty()) {
            return Finding.ok("leftovers", "no execution without its process");
        }
        return Finding.warning(
                "leftovers",
                dead.size() + " executions without their process: "
                        + dead.stream()
                                .limit(10)
                                .map(one -> String.valueOf(one.execution().id()))
                                .collect(Collectors.joining(", ")),
                "'wl restart ID' goes on with one, 'wl recover ID' decides by hand; any 'wl run' here ends them");
    }

    private static List<Finding> waiting(JobRepository repository) {
        return repository.queuedLaunches(Optional.empty(), MOST).stream()
                .filter(request -> !repository.isNodeAlive(request.waiter().id()))
                .map(RepositoryLook::abandoned)
                .toList();
    }

    private static Finding abandoned(QueuedLaunch request) {
        return Finding.warning(
                "leftovers",
                "launch request " + request.name() + " of " + request.job() + " waits without its process",
                "'wl stop " + request.name() + "' cancels it; the next launch of the job does as well");
    }
}
