package dev.weighlock.app.doctor;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.Failures;
import dev.weighlock.app.wiring.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at one thing after the other; what cannot be looked at is itself a finding. */
public final class Doctor {
    private Doctor() {}

    /** One look. */
    @FunctionalInterface
    interface Look {
        List<Finding> findings() throws Exception;
    }

    /** @param workspace refused where the settings are broken, which is a finding as well */
    public static List<Finding> examine(Supplier<Workspace> workspace) {
        List<Finding> all = new ArrayList<>(look("program", ProgramLook::findings));
        Workspace here = workspace(workspace, all);
        if (here == null) {
            return all;
        }
        all.addAll(look("memory", () -> MachineLook.memory(here)));
        all.addAll(look("repository", () -> RepositoryLook.findings(here)));
        all.addAll(look("disk", () -> MachineLook.disks(here)));
        all.addAll(look("rights", () -> RightsLook.findings(here)));
        all.addAll(look("connections", () -> ConnectionLook.findings(here)));
        return all;
    }

    private static @Nullable Workspace workspace(Supplier<Workspace> workspace, List<Finding> all) {
        try {
            Workspace here = workspace.get();
            all.add(Finding.ok(
                    "settings",
                    here.settings()
                            .file()
                            .map(file -> "from " + file)
                            .orElse("the defaults: there is no weighlock.yaml upwards of " + here.folder())));
            return here;
        } catch (RuntimeException e) {
            all.add(failed("settings", e));
            return null;
        }
    }

    private static List<Finding> look(String subject, Look look) {
        try {
            return look.findings();
        } catch (Exception e) {
            return List.of(failed(subject, e));
        }
    }

    static Finding failed(String subject, Exception e) {
        CommandFailure failure = Failures.of(e);
        String remedy = failure.remedy();
        return Finding.problem(
                subject, String.valueOf(failure.getMessage()), remedy == null ? "see the message" : remedy);
    }
}
