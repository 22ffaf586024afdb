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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The files of data sets, each charged to the device's cache share from its first use on, whoever names it and however. One
 * that no session has attached gives its charge up, the longest unused first, when another needs the room.
 *
 * <p>Thread-safe; {@code this} guards all fields and is taken before a cache entry's lock.
 */
final class DataSets {
    private static final String PREFIX = "cache.";

    private final CacheShare share;
    private final long shareBytes;

    /** By file, the longest unused first. */
    private final Map<Path, Charged> charged = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Charged {
        final Path file;
        final CacheEntry entry;
        private int uses;

        Charged(Path file, CacheEntry entry) {
            this.file = file;
            this.entry = entry;
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

    /** Those of a query's data sets that its statement reads, among all tables that it names. */
    static List<DataSet> named(List<String> tables, List<DataSet> ofQuery) {
        var sets = new LinkedHashSet<DataSet>();
        for (var table : tables) {
            var lower = table.toLowerCase(Locale.ROOT);
            if (lower.startsWith(PREFIX)) {
                sets.add(named(lower.substring(PREFIX.length()), ofQuery));
            }
        }
        return List.copyOf(sets);
    }

    private static DataSet named(String name, List<DataSet> ofQuery) {
        return ofQuery.stream()
                .filter(set -> set.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new QueryException(
                        ErrorCode.SQL_ERROR,
                        "plan",
                        "no data set " + name + " is declared; declared are "
                                + ofQuery.stream().map(DataSet::name).toList()));
    }

    /** Charges and pins. The caller closes the use once no session has the sets attached. */
    synchronized Use use(List<DataSet> sets) {
        var bytes = sets.stream().collect(Collectors.toMap(set -> set, DataSets::size));
        var together = bytes.values().stream().mapToLong(Long::longValue).sum();
        if (together > shareBytes) {
            throw noRoom(ErrorCode.QUERY_BUDGET_UNAVAILABLE, sets, together, "raise the device's 'cache'");
        }
        var use = new Use();
        try {
            for (var set : sets) {
                pin(set, bytes.getOrDefault(set, 0L), use);
            }
            return use;
        } catch (RuntimeException e) {
            use.close();
            throw e;
        }
    }

    private void pin(DataSet set, long bytes, Use use) {
        var known = charged.get(set.file());
        if (known != null && known.uses == 0 && known.entry.bytes() != bytes) {
            release(known);
            known = null;
        }
        if (known == null) {
            known = new Charged(set.file(), charge(set, bytes));
            charged.put(set.file(), known);
        }
        var pinned = known;
        var pin = pinned.entry.pin();
        pinned.uses++;
        use.pins.push(() -> unpin(pinned, pin));
    }

    private synchronized void unpin(Charged known, CacheEntry.Pin pin) {
        pin.close();
        known.uses--;
    }

    private CacheEntry charge(DataSet set, long bytes) {
        for (var room = share.tryCharge(bytes); ; room = share.tryCharge(bytes)) {
            if (room.isPresent()) {
                return room.get();
            }
            release(longestUnused()
                    .orElseThrow(() ->
                            noRoom(ErrorCode.SERVICE_OVERLOADED, List.of(set), bytes, "other queries use it now")));
        }
    }

    private Optional<Charged> longestUnused() {
        return charged.values().stream().filter(known -> known.uses == 0).findFirst();
    }

    private void release(Charged known) {
        known.entry.releaseDestroyed();
        charged.remove(known.file);
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

    private QueryException noRoom(ErrorCode code, List<DataSet> sets, long bytes, String why) {
        var names = sets.stream().map(DataSet::name).collect(Collectors.joining(", "));
        return new QueryException(
                code,
                "attach",
                "no room in the cache share of " + shareBytes + " bytes for the " + bytes + " of the data sets " + names
                        + "; " + why,
                Facts.of(FactKey.REQUESTED_BYTES, bytes).with(FactKey.LIMIT_BYTES, shareBytes));
    }
}
