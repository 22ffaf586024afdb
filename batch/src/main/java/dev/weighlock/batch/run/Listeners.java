package dev.weighlock.batch.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The one rule of listeners: <em>before</em> in order, <em>after</em> mirrored and only for those whose <em>before</em>
 * returned; a failing <em>before</em> comes out, a failing <em>after</em> is noted. For one thread.
 */
final class Listeners<L> {
    /** A call of one listener. */
    @FunctionalInterface
    interface Call<L> {
        void on(L listener) throws Exception;
    }

    private final List<L> all;
    private final Deque<L> entered = new ArrayDeque<>();
    private final Diagnostics diagnostics;

    Listeners(List<L> all, Diagnostics diagnostics) {
        this.all = all;
        this.diagnostics = diagnostics;
    }

    void before(Call<L> call) throws Exception {
        for (var listener : all) {
            call.on(listener);
            entered.push(listener);
        }
    }

    void after(String what, Call<L> call) {
        while (!entered.isEmpty()) {
            note(what, entered.pop(), call);
        }
    }

    /** Tells all of them, in mirrored order, of something that has no <em>before</em>. */
    static <L> void tell(List<L> all, String what, Diagnostics diagnostics, Call<L> call) {
        if (!all.isEmpty()) {
            var listeners = new Listeners<>(all, diagnostics);
            all.reversed().forEach(listener -> listeners.note(what, listener, call));
        }
    }

    private void note(String what, L listener, Call<L> call) {
        try {
            call.on(listener);
        } catch (Exception e) {
            diagnostics.note(what + " of " + listener.getClass().getName(), e);
        }
    }
}
