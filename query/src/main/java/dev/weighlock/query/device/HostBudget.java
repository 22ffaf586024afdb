package dev.weighlock.query.device;

import dev.weighlock.host.ClaimFolder;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The host's memory as its processes share it: each claims a part for its JVM's heap and its queries before it uses it,
 * and the sum of all claims never exceeds the total. Thread-safe; it holds nothing itself.
 */
public final class HostBudget {
    /** The least a process asks for besides its JVM's heap. */
    public static final long LEAST_SHARE_BYTES = 256L << 20;

    private static final String OPERATION = "host_budget";

    private final HostMemory memory;
    private final ClaimFolder claims;
    private final String command;

    /** @param command what this process does, for whoever is refused because of it */
    public HostBudget(HostMemory memory, ClaimFolder claims, String command) {
        this.memory = memory;
        this.claims = claims;
        this.command = command;
    }

    /**
     * Who holds what of the host's memory.
     *
     * @param source where the total comes from, for people
     * @param holders oldest claim first
     */
    public record State(long totalBytes, String source, List<ClaimFolder.Holder> holders) {
        public State {
            holders = List.copyOf(holders);
        }

        public long claimedBytes() {
            return HostBudget.claimed(holders);
        }

        /** Never negative, also where the total has shrunk below the claims. */
        public long unclaimedBytes() {
            return Math.max(0, totalBytes - claimedBytes());
        }
    }

    public State state() {
        return new State(memory.totalBytes(), memory.source(), claims.holders());
    }

    /**
     * Claims half of what is unclaimed, no less than {@code leastBytes} and {@link #LEAST_SHARE_BYTES}, no more than what
     * is free in the machine.
     *
     * @throws QueryException SERVICE_OVERLOADED, naming the holders, where others hold too much or the machine has too
     *     little free; QUERY_BUDGET_UNAVAILABLE where the least does not fit into the total
     */
    public HostShare claimShare(long leastBytes) {
        long least = Math.max(leastBytes, LEAST_SHARE_BYTES);
        var share = new Object() {
            long bytes;
        };
        ClaimFolder.Claim claim = claims.claim(command, holders -> {
            long room = room(holders, least);
            share.bytes = Math.min(Math.max(least, room / 2), freeNow(least));
            return share.bytes + memory.jvmMaxBytes();
        });
        return share(claim, share.bytes, share.bytes == least ? "the least share of " : "a share of ");
    }

    /**
     * Claims this figure or nothing.
     *
     * @throws QueryException as {@link #claimShare}, but whatever the machine has free
     */
    public HostShare claim(long limitBytes) {
        ClaimFolder.Claim claim = claims.claim(command, holders -> {
            room(holders, limitBytes);
            return limitBytes + memory.jvmMaxBytes();
        });
        return share(claim, limitBytes, "as configured, of ");
    }

    private HostShare share(ClaimFolder.Claim claim, long limitBytes, String how) {
        return new HostShare(
                claim,
                limitBytes,
                how + mib(memory.totalBytes()) + " (" + memory.source() + "); " + mib(memory.jvmMaxBytes())
                        + " for the JVM's heap (-Xmx) besides");
    }

    /** What is unclaimed besides this JVM's heap. */
    private long room(List<ClaimFolder.Holder> holders, long wantedBytes) {
        long most = memory.totalBytes() - memory.jvmMaxBytes();
        if (wantedBytes > most) {
            throw new QueryException(
                    ErrorCode.QUERY_BUDGET_UNAVAILABLE,
                    OPERATION,
                    mib(wantedBytes) + " for queries can never be claimed: " + mib(memory.totalBytes()) + " ("
                            + memory.source() + ") - JVM maximum (-Xmx) " + mib(memory.jvmMaxBytes()) + " = "
                            + mib(most),
                    Facts.of(FactKey.REQUESTED_BYTES, wantedBytes).with(FactKey.LARGEST_FIT_BYTES, Math.max(0, most)));
        }
        long room = most - claimed(holders);
        if (wantedBytes > room) {
            throw overloaded(
                    "of the " + mib(memory.totalBytes()) + " that processes of this machine share, "
                            + mib(claimed(holders)) + " are claimed by " + named(holders) + "; this one needs "
                            + mib(wantedBytes) + " for queries and " + mib(memory.jvmMaxBytes())
                            + " for its heap; try again when one of them has ended",
                    Facts.of(FactKey.REQUESTED_BYTES, wantedBytes).with(FactKey.HOLDERS, holders.size()));
        }
        return room;
    }

    private long freeNow(long least) {
        long free = memory.freeBytes() - memory.jvmMaxBytes();
        if (free < least) {
            throw overloaded(
                    "the machine has " + mib(memory.freeBytes()) + " free now; this process needs " + mib(least)
                            + " for queries and " + mib(memory.jvmMaxBytes())
                            + " for its heap; end other programs or set the limit of the device",
                    Facts.of(FactKey.REQUESTED_BYTES, least));
        }
        return free;
    }

    private static QueryException overloaded(String message, Facts facts) {
        return new QueryException(ErrorCode.SERVICE_OVERLOADED, OPERATION, message, facts);
    }

    private static long claimed(List<ClaimFolder.Holder> holders) {
        return holders.stream().mapToLong(ClaimFolder.Holder::bytes).sum();
    }

    private static String named(List<ClaimFolder.Holder> holders) {
        return holders.stream()
                .map(holder -> "process " + holder.pid() + " (" + holder.command() + ", " + mib(holder.bytes())
                        + " since " + holder.since() + ")")
                .collect(Collectors.joining(", "));
    }

    private static String mib(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
