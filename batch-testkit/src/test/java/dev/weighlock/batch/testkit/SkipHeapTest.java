package dev.weighlock.batch.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Skipped items leave nothing behind but a count: a million in a row pass through a small heap. */
class SkipHeapTest {
    @TempDir
    Path folder;

    @Test
    void millionSkips_inARow_fitIntoSixtyFourMebibytes() {
        try (var child = ChildJvm.start(MillionSkips.class, folder, List.of("-Xmx64m"), List.of())) {
            assertThat(child.awaitExit()).as(child.output()).isZero();
            assertThat(child.output()).contains("COMPLETED, 1000000 skipped, 5 written");
        }
    }

    /** Runs in the child. */
    static final class MillionSkips {
        private static final long SKIPS = 1_000_000;

        private MillionSkips() {}

        public static void main(String[] arguments) {
            try (var tester = new JobTester()) {
                var step = ChunkStep.<Long>copying("copy", context -> new Mostly(), context -> MillionSkips::write)
                        .skip(SkipPolicy.of(SKIPS))
                        .size(10)
                        .build();
                var ended = tester.runStep(step);
                System.out.println(ended.status() + ", " + ended.counts().readSkips() + " skipped, "
                        + ended.counts().written() + " written");
            }
        }

        private static void write(List<Long> items, ChunkContext chunk) {}

        /** A million bad items, each with a message of its own, then five good ones. */
        private static final class Mostly implements ItemReader<Long> {
            private long read;

            @Override
            public @Nullable Long read() {
                read++;
                if (read <= SKIPS) {
                    throw new IllegalArgumentException("item " + read + " cannot be read");
                }
                return read > SKIPS + 5 ? null : read;
            }
        }
    }
}
