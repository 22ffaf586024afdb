package dev.weighlock.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The other process of {@link TempRootTest}: leaves a file and waits to be killed. */
final class TempRootChild {
    private TempRootChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        var root = TempRoot.open(Path.of(args[0]));
        var file = Files.writeString(root.createFolder().resolve("file"), "left");
        System.out.println(file);
        new CountDownLatch(1).await();
    }
}
