package dev.weighlock.app.demo;

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Nation;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The TPC-H tables that the demo reads, as CSV without the comment columns. A file is written whole or not at all and kept for the
 * next demo. The generator's text pool is made small: only comments come from it, and the usual one takes 300 MB and seconds.
 */
final class TpchData {
    private static final int TEXT_POOL_BYTES = 1 << 20;
    private static final List<String> TABLES = List.of("nation", "customer", "orders", "lineitem");

    private final Path folder;
    private final double scale;
    private final Distributions distributions = Distributions.getDefaultDistributions();
    private @Nullable TextPool texts;

    TpchData(Path folder, double scale) {
        this.folder = folder;
        this.scale = scale;
    }

    /** Writes what is missing; {@code written} hears the name of each file that had to be made. */
    void ensure(Consumer<String> written) throws IOException {
        Files.createDirectories(folder);
        write(
                "nation",
                "n_nationkey,n_name",
                () -> new NationGenerator(distributions, this::texts),
                TpchData::line,
                written);
        write(
                "customer",
                "c_custkey,c_name,c_nationkey,c_mktsegment,c_acctbal",
                () -> new CustomerGenerator(scale, 1, 1, distributions, this::texts),
                TpchData::line,
                written);
        write(
                "orders",
                "o_orderkey,o_custkey,o_orderstatus,o_orderdate,o_orderpriority",
                () -> new OrderGenerator(scale, 1, 1, distributions, this::texts),
                TpchData::line,
                written);
        write(
                "lineitem",
                "l_orderkey,l_linenumber,l_partkey,l_suppkey,l_quantity,l_extendedprice,l_discount,l_tax,l_returnflag,"
                        + "l_linestatus,l_shipdate,l_shipmode",
                () -> new LineItemGenerator(scale, 1, 1, distributions, this::texts),
                TpchData::line,
                written);
    }

    /** Removes the files of another scale. */
    static void remove(Path folder) throws IOException {
        for (String table : TABLES) {
            Files.deleteIfExists(folder.resolve(table + ".csv"));
        }
    }

    private TextPool texts() {
        if (texts == null) {
            texts = new TextPool(TEXT_POOL_BYTES, distributions);
        }
        return texts;
    }

    private <T> void write(
            String table, String header, Supplier<Iterable<T>> rows, Function<T, String> line, Consumer<String> written)
            throws IOException {
        Path file = folder.resolve(table + ".csv");
        if (Files.exists(file)) {
            return;
        }
        Path partial = folder.resolve(table + ".csv.new");
        try (BufferedWriter out = Files.newBufferedWriter(partial)) {
            out.append(header).append('\n');
            for (T row : rows.get()) {
                out.append(line.apply(row)).append('\n');
            }
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        written.accept(file.getFileName().toString());
    }

    private static String line(Nation row) {
        return row.nationKey() + "," + row.name();
    }

    private static String line(Customer row) {
        return row.customerKey() + "," + row.name() + "," + row.nationKey() + "," + row.marketSegment() + ","
                + money(row.accountBalanceInCents());
    }

    private static String line(Order row) {
        return row.orderKey() + "," + row.customerKey() + "," + row.orderStatus() + ","
                + GenerateUtils.formatDate(row.orderDate()) + ","
                + row.orderPriority();
    }

    private static String line(LineItem row) {
        return row.orderKey() + "," + row.lineNumber() + "," + row.partKey() + "," + row.supplierKey() + ","
                + row.quantity() + "," + money(row.extendedPriceInCents()) + "," + money(row.discountPercent()) + ","
                + money(row.taxPercent()) + "," + row.returnFlag() + "," + row.status() + ","
                + GenerateUtils.formatDate(row.shipDate()) + "," + row.shipMode();
    }

    /** Hundredths as a decimal number; money in TPC-H may be negative. */
    private static String money(long hundredths) {
        long whole = Math.abs(hundredths);
        long rest = whole % 100;
        return (hundredths < 0 ? "-" : "") + whole / 100 + (rest < 10 ? ".0" : ".") + rest;
    }
}
