package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.JobParameters.Parameter;
import dev.weighlock.batch.ParameterName;
import dev.weighlock.batch.ParameterValue;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Job parameters as one JSON column: {@code [["day","date","2026-11-30",true],...]}, in the order given. */
public final class StoredParameters {
    private static final JsonFactory JSON = new JsonFactory();

    private StoredParameters() {}

    public static String write(JobParameters parameters) {
        var out = new StringWriter();
        try (var json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartArray();
            parameters.asMap().forEach((name, parameter) -> write(json, name, parameter));
            json.writeEndArray();
        }
        return out.toString();
    }

    private static void write(JsonGenerator json, ParameterName name, Parameter parameter) {
        json.writeStartArray();
        json.writeString(name.value());
        json.writeString(parameter.value().type());
        json.writeString(parameter.value().text());
        json.writeBoolean(parameter.identifying());
        json.writeEndArray();
    }

    public static JobParameters read(String text) {
        var parameters = new LinkedHashMap<ParameterName, Parameter>();
        try (var json = JSON.createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.START_ARRAY) {
                var name = new ParameterName(nextText(json));
                var value = value(nextText(json), nextText(json));
                boolean identifying = json.nextToken() == JsonToken.VALUE_TRUE;
                json.nextToken();
                parameters.put(name, new Parameter(value, identifying));
            }
        } catch (JacksonException e) {
            throw new BatchException(BatchError.UNKNOWN_FORMAT, "stored job parameters are not valid JSON", e);
        }
        return JobParameters.of(parameters);
    }

    private static String nextText(JsonParser json) {
        json.nextToken();
        return json.getString();
    }

    private static ParameterValue value(String type, String text) {
        return switch (type) {
            case "string" -> new ParameterValue.StringValue(text);
            case "long" -> new ParameterValue.LongValue(Long.parseLong(text));
            case "decimal" -> new ParameterValue.DecimalValue(new BigDecimal(text));
            case "boolean" -> new ParameterValue.BooleanValue(Boolean.parseBoolean(text));
            case "date" -> new ParameterValue.DateValue(LocalDate.parse(text));
            case "date_time" -> new ParameterValue.DateTimeValue(LocalDateTime.parse(text));
            case "instant" -> new ParameterValue.InstantValue(Instant.parse(text));
            case "double" -> new ParameterValue.DoubleValue(Double.parseDouble(text));
            case "secret" -> new ParameterValue.SecretReference(text);
            default ->
                throw new BatchException(
                        BatchError.UNKNOWN_FORMAT, "a stored parameter has the type \"" + type + "\", not known here");
        };
    }
}
