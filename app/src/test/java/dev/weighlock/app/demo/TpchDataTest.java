package dev.weighlock.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TpchDataTest {
    @TempDir
    Path folder;

    @Test
    void ensure_writesWhatIsMissingAndNothingElse() throws Exception {
        List<String> written = new ArrayList<>();
        new TpchData(folder, 0.001).ensure(written::add);
        Files.delete(folder.resolve("orders.csv"));

        List<String> again = new ArrayList<>();
        new TpchData(folder, 0.001).ensure(again::add);

        assertThat(written).containsExactly("nation.csv", "customer.csv", "orders.csv", "lineitem.csv");
        assertThat(again).containsExactly("orders.csv");
        assertThat(Files.readAllLines(folder.resolve("orders.csv")))
                .hasSize(1_501)
                .element(1)
                .isEqualTo("1,37,O,1996-01-02,5-LOW");
    }
}
