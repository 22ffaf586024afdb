package dev.weighlock.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The other process of {@link TempRootTest}: spills, names its spilled files and waits to be killed. */
final class TempRootChild {
    private TempRootChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        var fixture = new EngineFixture(Path.of(args[0]));
        var session = fixture.open(64 * EngineFixture.MIB);
        try (var stream = session.execute(fixture.plan(TempRootTest.SPILLED_ROWS))) {
            if (stream.fetch().isEmpty()) {
                throw new IllegalStateException("no rows");
            }
            try (var files = Files.walk(fixture.tempRoot)) {
                files.filter(Files::isRegularFile).forEach(System.out::println);
            }
            System.out.println("end");
            new CountDownLatch(1).await();
        }
    }
}
