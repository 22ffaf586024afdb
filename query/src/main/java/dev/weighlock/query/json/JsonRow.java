package dev.weighlock.query.json;

import java.io.StringWriter;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes one JSON object field by field; a field whose value is absent is left out. For one thread. */
public final class JsonRow {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator out;

    private JsonRow(JsonGenerator out) {
        this.out = out;
    }

    /** The object that {@code fields} writes, on one line. */
    public static String write(Consumer<JsonRow> fields) {
        var text = new StringWriter();
        try (var out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            out.writeStartObject();
            fields.accept(new JsonRow(out));
            out.writeEndObject();
        }
        return text.toString();
    }

    public JsonRow text(String name, @Nullable Object value) {
        if (value != null) {
            out.writeStringProperty(name, value.toString());
        }
        return this;
    }

    public JsonRow number(String name, @Nullable Number value) {
        if (value instanceof Double || value instanceof Float) {
            out.writeNumberProperty(name, value.doubleValue());
        } else if (value != null) {
            out.writeNumberProperty(name, value.longValue());
        }
        return this;
    }

    public JsonRow flag(String name, boolean value) {
        out.writeBooleanProperty(name, value);
        return this;
    }

    /** A value that is JSON already. */
    public JsonRow json(String name, String value) {
        out.writeName(name);
        out.writeRawValue(value);
        return this;
    }

    /** An object that {@code fields} writes from {@code value}. */
    public <T> JsonRow object(String name, @Nullable T value, BiConsumer<JsonRow, T> fields) {
        if (value != null) {
            out.writeName(name);
            out.writeStartObject();
            fields.accept(this, value);
            out.writeEndObject();
        }
        return this;
    }

    /** An array of objects, also when it is empty. */
    public <T> JsonRow objects(String name, Iterable<T> values, BiConsumer<JsonRow, T> fields) {
        out.writeName(name);
        out.writeStartArray();
        for (var value : values) {
            out.writeStartObject();
            fields.accept(this, value);
            out.writeEndObject();
        }
        out.writeEndArray();
        return this;
    }
}
