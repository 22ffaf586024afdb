package dev.weighlock.app.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the documents compile and do what the documents say. */
class ExamplesTest {
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

    @TempDir
    Path folder;

    /** Compiles the page's only Java example into the folder; every warning of an example would be the reader's too. */
    private void compile(String page, String type) throws Exception {
        var example = JAVA.matcher(Files.readString(DocumentsTest.ROOT.resolve(page)));
        assertThat(example.find()).as(page).isTrue();
        Path source = folder.resolve(type + ".java");
        Files.writeString(source, example.group(1));
        var said = new StringWriter();
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-d",
                                    folder.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(done).as(said.toString()).isTrue();
        }
    }

    @Test
    void readme_javaExample_runsAndRunsOnce() throws Exception {
        compile("README.md", "Hello");

        assertThat(main("Hello")).contains("hello from execution 1");
        assertThat(main("Hello")).doesNotContain("hello");
    }

    @Test
    void javaJobs_example_runsAndRunsOnce() throws Exception {
        compile("docs/java-jobs.md", "Nightly");
        Files.writeString(folder.resolve("orders.txt"), "one\ntwo\nthree\n");

        assertThat(main("Nightly", "orders.txt")).endsWith("COMPLETED\n");
        assertThat(main("Nightly", "orders.txt")).contains("AlreadyComplete");

        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT group_concat(text) AS lines FROM line")) {
            assertThat(rows.getString("lines")).isEqualTo("one,two,three");
        }
    }

    private String main(String type, String... words) throws Exception {
        createTable();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                type));
        command.addAll(List.of(words));
        var out = folder.resolve("out");
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
        return Files.readString(out);
    }

    /** The table that the reader of the example has. */
    private void createTable() throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE IF NOT EXISTS line (text TEXT)");
        }
    }

    @Test
    void testingJobs_exampleTests_pass() throws Exception {
        compile("docs/testing-jobs.md", "OrdersTest");
        int ran = 0;
        try (var loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = loader.loadClass("OrdersTest");
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    runTest(type, method);
                    ran++;
                }
            }
        }
        assertThat(ran).isEqualTo(3);
    }

    private static void runTest(Class<?> type, Method test) throws Exception {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object instance = constructor.newInstance();
        try {
            test.setAccessible(true);
            test.invoke(instance);
        } finally {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(AfterEach.class)) {
                    method.setAccessible(true);
                    method.invoke(instance);
                }
            }
        }
    }
}
