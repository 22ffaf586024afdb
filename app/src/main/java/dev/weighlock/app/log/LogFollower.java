package dev.weighlock.app.log;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Prints a growing file, from its beginning. For one thread. */
public final class LogFollower {
    private static final long PAUSE_MILLIS = 250;

    private final Path file;
    private final PrintStream out;
    private long position;

    public LogFollower(Path file, PrintStream out) {
        this.file = file;
        this.out = out;
    }

    /** Prints what the file holds beyond what was printed; nothing while there is no file. */
    public void copyNew() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(position);
            ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
            while (channel.read(buffer) >= 0) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            position = channel.position();
        }
        out.flush();
    }

    /** Goes on until {@code alive} says no; whatever was written before that is printed. */
    public void followWhile(BooleanSupplier alive) throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        boolean again = true;
        while (again && !out.checkError()) {
            again = alive.getAsBoolean();
            copyNew();
            if (again) {
                never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }
}
