package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Style;
import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.host.ClaimFolder;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.HostBudget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of the device, its pools, and the machine's memory with those who hold it.
 *
 * @param profile null where a process that begins now would get no share
 */
public record DevicesView(
        @Nullable DeviceProfile profile, Map<String, Configuration.Pool> pools, HostBudget.State budget) {
    /** {@code {"schema":"weighlock.devices/1","devices":[…],"pools":[…],"budget":{…}}}; bytes everywhere. */
    public Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", "weighlock.devices/1");
        document.put("devices", profile == null ? List.of() : List.of(device(profile)));
        document.put(
                "pools",
                pools.entrySet().stream()
                        .map(entry -> pool(entry.getKey(), entry.getValue()))
                        .toList());
        document.put("budget", budgetDocument());
        return document;
    }

    private static Map<String, @Nullable Object> device(DeviceProfile profile) {
        Map<String, @Nullable Object> device = new LinkedHashMap<>();
        device.put("ordinal", profile.deviceOrdinal());
        device.put("name", profile.name());
        device.put("limit_bytes", profile.limitBytes());
        device.put("limit_source", profile.limitSource());
        device.put("headroom_bytes", profile.headroomBytes());
        device.put("reserve_bytes", profile.reserveBytes());
        device.put("managed_capacity_bytes", profile.managedCapacityBytes());
        device.put("cache_share_bytes", profile.cacheCapBytes());
        device.put("query_share_bytes", profile.queryShareBytes());
        device.put("max_active", profile.maxActive());
        device.put("default_cap_bytes", profile.defaultQueryLimitBytes());
        device.put("least_cap_bytes", profile.minimumCapBytes());
        device.put("root_lanes", profile.rootLanes());
        device.put("auxiliary_lanes", profile.auxiliaryLanes());
        return device;
    }

    private static Map<String, @Nullable Object> pool(String name, Configuration.Pool pool) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("name", name);
        document.put("weight", pool.weight());
        document.put(
                "max_running", pool.maxRunning().isPresent() ? pool.maxRunning().getAsInt() : null);
        document.put("max_queued", pool.maxQueued());
        document.put("max_wait_ms", pool.maxWait().toMillis());
        document.put(
                "max_cap_bytes",
                pool.maxCapBytes().isPresent() ? pool.maxCapBytes().getAsLong() : null);
        return document;
    }

    private Map<String, @Nullable Object> budgetDocument() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("total_bytes", budget.totalBytes());
        document.put("source", budget.source());
        document.put("claimed_bytes", budget.claimedBytes());
        document.put("unclaimed_bytes", budget.unclaimedBytes());
        document.put(
                "holders", budget.holders().stream().map(DevicesView::holder).toList());
        return document;
    }

    private static Map<String, @Nullable Object> holder(ClaimFolder.Holder holder) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("pid", holder.pid());
        document.put("command", holder.command());
        document.put("since", holder.since().toString());
        document.put("bytes", holder.bytes());
        return document;
    }

    public void print(Terminal terminal) {
        if (profile != null) {
            print(terminal, profile);
        }
        printPools(terminal);
        printBudget(terminal);
    }

    private static void print(Terminal terminal, DeviceProfile profile) {
        terminal.line(terminal.styled(Style.STRONG, "device " + profile.deviceOrdinal() + "  " + profile.name()));
        figure(terminal, "limit", profile.limitBytes(), profile.limitSource());
        figure(terminal, "- headroom", profile.headroomBytes(), "memory that nobody accounts for");
        figure(terminal, "- reserve", profile.reserveBytes(), "the planner and warm instances");
        figure(terminal, "= capacity M", profile.managedCapacityBytes(), "");
        figure(terminal, "- cache K", profile.cacheCapBytes(), "data sets that stay attached");
        figure(terminal, "= queries Q", profile.queryShareBytes(), "all grants and kept results together");
        figure(
                terminal,
                "default cap",
                profile.defaultQueryLimitBytes(),
                "of a query without --cap; Q / " + profile.maxActive() + " unless configured");
        figure(terminal, "least cap", profile.minimumCapBytes(), "");
        terminal.line("  %-13s %10d  queries at once".formatted("max active", profile.maxActive()));
        terminal.line("");
    }

    private static void figure(Terminal terminal, String name, long bytes, String note) {
        terminal.line(
                "  %-13s %10s  %s".formatted(name, Units.bytes(bytes), note).stripTrailing());
    }

    private void printPools(Terminal terminal) {
        Table table = new Table("POOL", "#WEIGHT", "#MAX RUNNING", "#MAX QUEUED", "#MAX WAIT", "#MAX CAP");
        pools.forEach((name, pool) -> table.row(
                name,
                String.valueOf(pool.weight()),
                pool.maxRunning().isPresent() ? String.valueOf(pool.maxRunning().getAsInt()) : "-",
                Units.count(pool.maxQueued()),
                Units.duration(pool.maxWait()),
                pool.maxCapBytes().isPresent() ? Units.bytes(pool.maxCapBytes().getAsLong()) : "-"));
        table.print(terminal);
        terminal.line("");
    }

    private void printBudget(Terminal terminal) {
        terminal.line(terminal.styled(Style.STRONG, "memory that processes share"));
        figure(terminal, "total", budget.totalBytes(), budget.source());
        figure(terminal, "claimed", budget.claimedBytes(), "");
        figure(terminal, "unclaimed", budget.unclaimedBytes(), "");
        if (budget.holders().isEmpty()) {
            terminal.line("  nobody holds a claim");
            return;
        }
        Table table = new Table("PROCESS", "COMMAND", "#CLAIMED", "SINCE");
        budget.holders()
                .forEach(holder -> table.row(
                        String.valueOf(holder.pid()),
                        holder.command(),
                        Units.bytes(holder.bytes()),
                        Units.local(holder.since())));
        table.print(terminal);
    }
}
