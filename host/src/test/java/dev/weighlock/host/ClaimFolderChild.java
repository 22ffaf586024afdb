package dev.weighlock.host;

import java.nio.file.Path;

/** The other process of {@link ClaimFolderTest}: claims half of what is left of a total, says how much, and stays. */
final class ClaimFolderChild {
    private ClaimFolderChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        var total = Long.parseLong(args[1]);
        var claim = ClaimFolder.at(Path.of(args[0])).claim("child " + args[2], holders -> {
            var claimed = holders.stream().mapToLong(ClaimFolder.Holder::bytes).sum();
            return (total - claimed) / 2;
        });
        System.out.println(claim.holder().bytes());
        var _ = System.in.read();
        claim.close();
    }
}
