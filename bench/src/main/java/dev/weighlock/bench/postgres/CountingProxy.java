package dev.weighlock.bench.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Stands before a server on this host and counts round trips: how often a client speaks after it was answered. It costs
 * time, so nothing is timed through it.
 *
 * <p>Thread-safe. Closing ends every connection through it.
 */
final class CountingProxy implements AutoCloseable {
    private final LongAdder trips = new LongAdder();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ServerSocket listening;
    private final int server;

    private CountingProxy(ServerSocket listening, int server) {
        this.listening = listening;
        this.server = server;
    }

    static CountingProxy before(int port) throws IOException {
        CountingProxy proxy = new CountingProxy(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), port);
        proxy.threads.execute(proxy::accept);
        return proxy;
    }

    int port() {
        return listening.getLocalPort();
    }

    long trips() {
        return trips.sum();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                AtomicBoolean answered = new AtomicBoolean(true);
                threads.execute(() -> pass(client, behind, () -> {
                    if (answered.getAndSet(false)) {
                        trips.increment();
                    }
                }));
                threads.execute(() -> pass(behind, client, () -> answered.set(true)));
            }
        } catch (IOException closed) {
            // The proxy is over.
        }
    }

    private static void pass(Socket from, Socket to, Runnable seen) {
        try (from;
                to) {
            byte[] buffer = new byte[1 << 16];
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                seen.run();
                to.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException ended) {
            // One side ended; closing tells the other.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdown();
    }
}
