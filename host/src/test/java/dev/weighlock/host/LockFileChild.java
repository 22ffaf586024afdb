package dev.weighlock.host;

import java.nio.file.Path;

/** The other process of {@link LockFileTest}. */
final class LockFileChild {
    private LockFileChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        var file = Path.of(args[1]);
        if (args[0].equals("hold")) {
            var _ = LockFile.tryHold(file, "child").orElseThrow();
            System.out.println("held");
            Thread.sleep(60_000);
        } else {
            System.out.println(LockFile.probe(file) + " " + LockFile.read(file).orElse(""));
        }
    }
}
