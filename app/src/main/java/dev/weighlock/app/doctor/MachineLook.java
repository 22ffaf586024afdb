package dev.weighlock.app.doctor;

import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.wiring.Backends;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.host.PrivateFolder;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceProfile;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The machine's memory budget, and the room on its disks. */
final class MachineLook {
    private static final long LITTLE = 1L << 30;
    private static final long TOO_LITTLE = 64L << 20;

    private MachineLook() {}

    static List<Finding> memory(Workspace here) throws IOException {
        Backends.Outlook outlook = Backends.outlook(here);
        String shared = Units.bytes(outlook.budget().totalBytes()) + " shared by the processes of this user, "
                + Units.bytes(outlook.budget().unclaimedBytes()) + " unclaimed";
        QueryException refusal = outlook.refusal();
        DeviceProfile profile = outlook.profile();
        if (profile == null || refusal != null) {
            return List.of(Finding.problem(
                    "memory",
                    shared + (refusal == null ? "" : ": " + refusal.text()),
                    "'wl devices' tells who holds it; wait, or lower devices.host.limit in weighlock.yaml"));
        }
        return List.of(
                Finding.ok("memory", shared + "; a command that begins now gets " + Units.bytes(profile.limitBytes())));
    }

    static List<Finding> disks(Workspace here) throws IOException {
        List<Finding> findings = new ArrayList<>();
        Path state = here.repository().stateFolder();
        findings.add(disk("record", existing(state)));
        findings.add(disk("spill", existing(state.resolve("spill"))));
        findings.add(disk("spill query", PrivateFolder.ofUser(Path.of(System.getProperty("java.io.tmpdir")))));
        return findings;
    }

    private static Path existing(Path folder) {
        Path at = folder;
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    private static Finding disk(String subject, Path folder) throws IOException {
        FileStore store = Files.getFileStore(folder);
        long free = store.getUsableSpace();
        String what = Units.bytes(free) + " free on " + store + " for " + folder;
        if (free < TOO_LITTLE) {
            return Finding.problem(subject, what, "make room: jobs and queries fail when it is full");
        }
        if (free < LITTLE) {
            return Finding.warning(subject, what, "make room: sorting and joining spill there");
        }
        return Finding.ok(subject, what);
    }
}
