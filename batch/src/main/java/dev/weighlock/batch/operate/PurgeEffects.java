package dev.weighlock.batch.operate;

import dev.weighlock.batch.repository.PurgedInstance;
import java.util.List;

/** What goes with instances and stands outside of the repository, such as logs and checkpoints in other databases. */
@FunctionalInterface
public interface PurgeEffects {
    PurgeEffects NONE = instances -> {};

    /** Called when the removal of these began and nothing of them is gone; perhaps twice, after a crash. */
    void removing(List<PurgedInstance> instances);
}
