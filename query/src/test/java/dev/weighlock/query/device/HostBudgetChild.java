package dev.weighlock.query.device;

import dev.weighlock.host.ClaimFolder;
import dev.weighlock.query.QueryException;
import java.nio.file.Path;

/** The other process of {@link HostBudgetTest}: claims a share, says how much it claimed or why not, and stays. */
final class HostBudgetChild {
    private HostBudgetChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        var memory = new HostMemory(Long.parseLong(args[1]), "test", "machine", Long.MAX_VALUE, HostBudgetTest.HEAP);
        var budget = new HostBudget(memory, ClaimFolder.at(Path.of(args[0])), args[2]);
        try (var share = budget.claimShare(HostBudget.LEAST_SHARE_BYTES)) {
            System.out.println(share.claimedBytes());
            var _ = System.in.read();
        } catch (QueryException refusal) {
            System.out.println(refusal.code() + " " + refusal.text());
        }
    }
}
