package dev.weighlock.query.backend;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.CacheEntry;
import dev.weighlock.query.device.CacheShare;
import dev.weighlock.query.engine.DataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declared data sets of a backend, each charged to the device's cache share from its first use on. One that no
 * session has attached gives its charge up, the longest unused first, when another needs the room.
 *
 * <p>Thread-safe; {@code this} guards all fields and is taken before a cache entry's lock.
 */
final class DataSets {
    private static final String PREFIX = "cache.";

    private final CacheShare share;
    private final long shareBytes;

    /** By name, the longest unused first. */
    private final Map<String, Declared> declared = new LinkedHashMap<>(16, 0.75f, true);

    /** A data set and its charge, while it has one. */
    private static final class Declared {
        final DataSet set;
        private @Nullable CacheEntry charge;
        private int uses;

        Declared(DataSet set) {
            this.set = set;
        }
    }

    DataSets(CacheShare share, long shareBytes) {
        this.share = share;
        this.shareBytes = shareBytes;
    }

    /** The use of some data sets by one session. Closing twice is harmless. */
    static final class Use implements AutoCloseable {
        private final Deque<Runnable> pins = new ArrayDeque<>();

        @Override
        public synchronized void close() {
            while (!pins.isEmpty()) {
                pins.pop().run();
            }
        }
    }

    synchronized void declare(DataSet set) {
        var known = declared.get(set.name());
        if (known != null && known.uses > 0) {
            throw new IllegalStateException("the data set " + set.name() + " is in use");
        }
        if (known != null) {
            release(known);
        }
        declared.put(set.name(), new Declared(set));
    }

    /** Those that a statement reads, among all tables that it names. */
    synchronized List<DataSet> named(List<String> tables) {
        var sets = new LinkedHashSet<DataSet>();
        for (var table : tables) {
            var lower = table.toLowerCase(Locale.ROOT);
            if (lower.startsWith(PREFIX)) {
                sets.add(named(lower.substring(PREFIX.length())));
            }
        }
        return List.copyOf(sets);
    }

    private DataSet named(String name) {
        var known = declared.get(name);
        if (known == null) {
            throw new QueryException(
                    ErrorCode.SQL_ERROR,
                    "plan",
                    "no data set " + name + " is declared; declared are " + declared.keySet());
        }
        return known.set;
    }

    /** Charges and pins. The caller closes the use once no session has the sets attached. */
    synchronized Use use(List<DataSet> sets) {
        var use = new Use();
        try {
            for (var set : sets) {
                pin(set, use);
            }
            return use;
        } catch (RuntimeException e) {
            use.close();
            throw e;
        }
    }

    private void pin(DataSet set, Use use) {
        var known = declared.get(set.name());
        if (known == null || !known.set.equals(set)) {
            throw new QueryException(
                    ErrorCode.SOURCE_NOT_FOUND, "attach", "the data set " + set.name() + " was declared anew");
        }
        var charge = known.charge;
        if (charge == null) {
            charge = charge(set);
            known.charge = charge;
        }
        var pin = charge.pin();
        known.uses++;
        use.pins.push(() -> unpin(known, pin));
    }

    private synchronized void unpin(Declared known, CacheEntry.Pin pin) {
        pin.close();
        known.uses--;
    }

    private CacheEntry charge(DataSet set) {
        var bytes = size(set);
        for (var room = share.tryCharge(bytes); ; room = share.tryCharge(bytes)) {
            if (room.isPresent()) {
                return room.get();
            }
            release(longestUnused().orElseThrow(() -> noRoom(set, bytes)));
        }
    }

    private Optional<Declared> longestUnused() {
        return declared.values().stream()
                .filter(known -> known.charge != null && known.uses == 0)
                .findFirst();
    }

    private static void release(Declared known) {
        if (known.charge != null) {
            known.charge.releaseDestroyed();
            known.charge = null;
        }
    }

    private static long size(DataSet set) {
        try {
            return Files.size(set.file());
        } catch (IOException e) {
            throw new QueryException(
                    ErrorCode.SOURCE_NOT_FOUND,
                    "attach",
                    "no file " + set.file() + " for the data set " + set.name(),
                    Facts.of(FactKey.PATH, set.file()),
                    e);
        }
    }

    private QueryException noRoom(DataSet set, long bytes) {
        return new QueryException(
                bytes > shareBytes ? ErrorCode.QUERY_BUDGET_UNAVAILABLE : ErrorCode.SERVICE_OVERLOADED,
                "attach",
                "the data set " + set.name() + " of " + bytes + " bytes does not fit in the cache share of "
                        + shareBytes
                        + (bytes > shareBytes ? "; give the device a larger one" : ", which other queries use now"),
                Facts.of(FactKey.REQUESTED_BYTES, bytes).with(FactKey.LIMIT_BYTES, shareBytes));
    }
}
