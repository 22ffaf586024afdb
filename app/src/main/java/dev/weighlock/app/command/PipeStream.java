package dev.weighlock.app.command;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/** A print stream whose failures are not hidden: what is written to a closed pipe fails. For one thread. */
final class PipeStream extends OutputStream {
    private final PrintStream out;

    PipeStream(PrintStream out) {
        this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
        out.write(one);
        requireOpen();
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        out.write(bytes, from, count);
        requireOpen();
    }

    @Override
    public void flush() throws IOException {
        out.flush();
        requireOpen();
    }

    boolean isBroken() {
        return out.checkError();
    }

    private void requireOpen() throws IOException {
        if (out.checkError()) {
            throw new IOException("the output takes no more");
        }
    }
}
