package dev.weighlock.app.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Standard output, which remembers why it could not be written: a reader that has gone is no failure, a full disk is. */
final class ResultStream extends PrintStream {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    private final Watched watched;

    ResultStream(OutputStream out) {
        this(new Watched(out));
    }

    private ResultStream(Watched watched) {
        super(watched, true, StandardCharsets.UTF_8);
        this.watched = watched;
    }

    /** A pipe has nothing that could be full; elsewhere than on Linux the message tells. */
    boolean readerGone() {
        IOException failure = watched.failure;
        if (failure == null) {
            return false;
        }
        return String.valueOf(failure.getMessage()).contains("Broken pipe") || isPipe();
    }

    private static boolean isPipe() {
        try {
            String target = Files.readSymbolicLink(STANDARD_OUTPUT).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static final class Watched extends FilterOutputStream {
        private volatile @Nullable IOException failure;

        Watched(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            try {
                out.write(b);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                out.write(bytes, from, count);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
