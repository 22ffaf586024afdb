package dev.weighlock.app.prove.soak;

import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The size of the soak.
 *
 * @param numbers of each partition
 * @param limit how long one attempt may take
 */
record Shape(int cycles, int partitions, int numbers, int chunk, int pool, Duration limit) {
    static final List<Setting> SETTINGS = List.of(
            new Setting(
                    "cycles",
                    "24",
                    "8 or more, an instance each: one attempt that fails or is stopped, one that completes"),
            new Setting("partitions", "3", "of the chunk step, two at once"),
            new Setting("numbers", "20", "rows of each partition"),
            new Setting("chunk", "5", "rows of one commit"),
            new Setting("pool", "5", "connections for running work, on a server"),
            new Setting("limit", "1m", "how long one attempt may take"));

    static Shape of(Settings settings) {
        int cycles = settings.count("cycles");
        if (cycles < Flatness.LEAST) {
            throw settings.refused("cycles", Flatness.LEAST + " or more, because fewer show no growth");
        }
        return new Shape(
                cycles,
                settings.count("partitions"),
                settings.count("numbers"),
                settings.count("chunk"),
                settings.count("pool"),
                settings.time("limit"));
    }
}
