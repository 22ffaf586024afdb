package dev.weighlock.batch.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A loopback proxy in front of a PostgreSQL server that can cut a connection before a COMMIT, which the server never sees,
 * or between a COMMIT and its answer: the server commits, the client never learns. It can also be away for a while, as a
 * server is that restarts, or keep clients from hearing notifications, as a pooler does.
 *
 * <p>Thread-safe. Two daemon threads a connection; closing cuts every connection.
 */
public final class CutProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int serverPort;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger commitsToCut = new AtomicInteger();
    private final AtomicInteger answersToCut = new AtomicInteger();
    private volatile byte[] answer = {};
    private volatile boolean deaf;
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean away;

    private CutProxy(ServerSocket listening, int serverPort) {
        this.listening = listening;
        this.serverPort = serverPort;
    }

    /** Begins to forward to {@code serverPort} on this host. */
    public static CutProxy start(int serverPort) {
        try {
            var proxy = new CutProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), serverPort);
            Thread.ofPlatform().daemon().name("cut-proxy").start(proxy::acceptUntilClosed);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy cannot listen", e);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    /**
     * One answer to a COMMIT is swallowed and its connection cut.
     *
     * @param turn which one from now on, from 1
     */
    public void cutAnswer(int turn) {
        cutAnswer("COMMIT", turn);
    }

    /**
     * The same for the answer to another statement, which commits by itself where no transaction is open.
     *
     * @param tag the server's word for what it did, such as {@code UPDATE 1}
     */
    public void cutAnswer(String tag, int turn) {
        answer = (tag + '\0').getBytes(StandardCharsets.US_ASCII);
        answersToCut.set(turn);
    }

    /**
     * One COMMIT is swallowed before it reaches the server, and its connection cut.
     *
     * @param turn which one from now on, from 1
     */
    public void cutCommit(int turn) {
        commitsToCut.set(turn);
    }

    /** How many commits and answers were swallowed so far; counted before the client's connection ends. */
    public int cuts() {
        return cuts.get();
    }

    /** From now on a LISTEN does nothing. */
    public void deafen() {
        deaf = true;
    }

    /** Cuts every connection and every new one, until {@link #comeBack}. */
    public void goAway() {
        away = true;
        sockets.forEach(socket -> close(socket, null));
    }

    public void comeBack() {
        away = false;
    }

    /** How many connections were cut at once because the proxy was away. */
    public int refused() {
        return refused.get();
    }

    private void acceptUntilClosed() {
        while (!listening.isClosed()) {
            try {
                var client = listening.accept();
                if (away) {
                    refused.incrementAndGet();
                    client.close();
                    continue;
                }
                var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.addAll(List.of(client, server));
                forward(client, server, false);
                forward(server, client, true);
                if (away) {
                    // It went away after the look above.
                    goAway();
                }
            } catch (IOException e) {
                // Closed, or the server is gone: the client sees its connection refused or cut.
            }
        }
    }

    private void forward(Socket from, Socket to, boolean answers) {
        Thread.ofPlatform().daemon().name("cut-proxy-" + answers).start(() -> {
            try (from;
                    to) {
                if (answers) {
                    copyAnswers(from.getInputStream(), to.getOutputStream());
                } else {
                    copyMessages(new ClientMessages(from.getInputStream()), to.getOutputStream());
                }
            } catch (IOException e) {
                // Either side has gone; closing both tells the other.
            }
        });
    }

    private void copyMessages(ClientMessages messages, OutputStream out) throws IOException {
        while (messages.next()) {
            if (messages.commits() && commitsToCut.getAndDecrement() == 1) {
                cuts.incrementAndGet();
                return;
            }
            if (deaf) {
                messages.silenceListen();
            }
            messages.forward(out);
        }
    }

    private void copyAnswers(InputStream in, OutputStream out) throws IOException {
        var buffer = new byte[16 * 1024];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (answersToCut.get() > 0 && contains(buffer, read, answer) && answersToCut.getAndDecrement() == 1) {
                cuts.incrementAndGet();
                return;
            }
            out.write(buffer, 0, read);
            out.flush();
        }
    }

    private static boolean contains(byte[] buffer, int length, byte[] sought) {
        for (int start = 0; start + sought.length <= length; start++) {
            int matched = 0;
            while (matched < sought.length && buffer[start + matched] == sought[matched]) {
                matched++;
            }
            if (matched == sought.length) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        @Nullable IOException failure = close(listening, null);
        for (var socket : sockets) {
            failure = close(socket, failure);
        }
        if (failure != null) {
            throw new UncheckedIOException("the proxy cannot close", failure);
        }
    }

    private static @Nullable IOException close(AutoCloseable socket, @Nullable IOException earlier) {
        try {
            socket.close();
            return earlier;
        } catch (Exception e) {
            return earlier != null ? earlier : new IOException(e);
        }
    }
}
