package dev.weighlock.batch.testkit;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * What a PostgreSQL client sends, message by message, and which of them runs a COMMIT: drivers prepare it once and name it
 * afterwards. For one thread.
 */
final class ClientMessages {
    private static final String COMMIT = "COMMIT";
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;

    private final DataInputStream in;
    private final Set<String> prepared = new HashSet<>();
    private boolean started;
    private byte type;
    private byte[] body = {};

    ClientMessages(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /** Reads the next message; false at the end. */
    boolean next() throws IOException {
        try {
            // The first messages have no type: requests for encryption, which the server declines, then the start
            // itself.
            type = started ? in.readByte() : 0;
            body = new byte[in.readInt() - Integer.BYTES];
            in.readFully(body);
        } catch (EOFException e) {
            return false;
        }
        return true;
    }

    /** Passes the message on that was read. */
    void forward(OutputStream out) throws IOException {
        var message = ByteBuffer.wrap(new byte[1 + Integer.BYTES + body.length]);
        if (started) {
            message.put(type);
        } else {
            int code = ByteBuffer.wrap(body).getInt();
            started = code != SSL_REQUEST && code != GSS_REQUEST;
        }
        message.putInt(Integer.BYTES + body.length).put(body);
        out.write(message.array(), 0, message.position());
        out.flush();
    }

    /** Whether the message that was read runs a COMMIT. Asked once a message. */
    boolean commits() {
        var message = ByteBuffer.wrap(body);
        return switch (type) {
            case 'Q' -> text(message).equals(COMMIT);
            case 'P' -> {
                var name = text(message);
                if (text(message).equals(COMMIT)) {
                    prepared.add(name);
                } else {
                    prepared.remove(name);
                }
                yield false;
            }
            case 'B' -> {
                text(message);
                yield prepared.contains(text(message));
            }
            default -> false;
        };
    }

    /** Makes a LISTEN that was read an UNLISTEN. */
    void silenceListen() {
        if (type == 'P' || type == 'Q') {
            var text = new String(body, StandardCharsets.ISO_8859_1);
            body = text.replaceFirst("(?<=^|\\x00)LISTEN ", "UNLISTEN ").getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private String text(ByteBuffer message) {
        int start = message.position();
        while (message.get() != 0) {
            // To the byte that ends it.
        }
        return new String(body, start, message.position() - 1 - start, StandardCharsets.UTF_8);
    }
}
