package dev.weighlock.query.testing;

import dev.weighlock.query.device.CompletionFence;
import dev.weighlock.query.device.WorkStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A stream whose fences are named {@code name#1}, {@code name#2} and so on, and fail when a test wants it. */
public final class ScriptedStream implements WorkStream {
    private final String name;
    private final List<String> awaited = Collections.synchronizedList(new ArrayList<>());
    private int recorded;
    private boolean failsAwaiting;
    private boolean failsRecording;
    private boolean diesRecording;

    public ScriptedStream(String name) {
        this.name = name;
    }

    public ScriptedStream failAwaiting() {
        failsAwaiting = true;
        return this;
    }

    public ScriptedStream failRecording() {
        failsRecording = true;
        return this;
    }

    /** Recording throws an {@link Error}. */
    public ScriptedStream dieRecording() {
        diesRecording = true;
        return this;
    }

    /** The fences that somebody waited for, in order. */
    public List<String> awaited() {
        return List.copyOf(awaited);
    }

    @Override
    public Object identity() {
        return name;
    }

    @Override
    public CompletionFence recordCompletion() {
        if (diesRecording) {
            throw new AssertionError("stream " + name + " died");
        }
        if (failsRecording) {
            throw new IllegalStateException("stream " + name + " records nothing");
        }
        recorded++;
        String fence = name + "#" + recorded;
        return (_, _) -> {
            awaited.add(fence);
            if (failsAwaiting) {
                throw new IllegalStateException("fence " + fence + " failed");
            }
        };
    }
}
