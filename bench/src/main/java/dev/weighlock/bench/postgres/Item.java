package dev.weighlock.bench.postgres;

import java.util.List;

/** What is written by the million. */
public record Item(long id, String name) {
    public static final String INSERT = "INSERT INTO public.item (id, name) VALUES (?, ?)";

    static final List<String> COLUMNS = List.of("id", "name");

    public static Item of(long id) {
        return new Item(id, "item " + id);
    }

    List<Object> values() {
        return List.of(id, name);
    }
}
