package dev.weighlock.app.prove.stand;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.jobs.yaml.Scalars;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The shape of one campaign's run: its settings' texts, read when they are asked for. Immutable. */
public final class Settings {
    private static final String COUNT = "a whole number from 1 to " + Integer.MAX_VALUE;

    private final Map<String, String> values;

    private Settings(Map<String, String> values) {
        this.values = values;
    }

    /**
     * The standards of a campaign with what was told instead.
     *
     * @throws CommandFailure USAGE for a name that the campaign does not know, or a value that it cannot use
     */
    public static Settings of(Campaign campaign, Map<String, String> told) {
        Map<String, String> values = new LinkedHashMap<>();
        campaign.settings().forEach(setting -> values.put(setting.name(), setting.standard()));
        told.forEach((name, value) -> {
            if (!values.containsKey(name)) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "the campaign " + campaign.name() + " has no setting '" + name + "'",
                        "it has " + String.join(", ", values.keySet()));
            }
            values.put(name, value.strip());
        });
        Settings settings = new Settings(values);
        campaign.check(settings);
        return settings;
    }

    /** All of them in their order, for the report. */
    public Map<String, String> texts() {
        return Collections.unmodifiableMap(values);
    }

    public int count(String name) {
        try {
            int count = Integer.parseInt(text(name));
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw refused(name, COUNT, e);
        }
        throw refused(name, COUNT);
    }

    public Duration time(String name) {
        return time(name, text(name));
    }

    /** Those that stand between commas. */
    public List<Duration> times(String name) {
        return Stream.of(text(name).split(","))
                .map(part -> time(name, part.strip()))
                .toList();
    }

    /** Words between commas. */
    public List<String> words(String name) {
        return Stream.of(text(name).split(",", -1)).map(String::strip).toList();
    }

    private Duration time(String name, String text) {
        return Scalars.DURATION_TEXT
                .parse(text)
                .filter(Duration::isPositive)
                .orElseThrow(() -> refused(name, "a duration such as 200ms or 5s"));
    }

    private String text(String name) {
        String text = values.get(name);
        if (text == null) {
            throw new IllegalArgumentException("the campaign declares no setting " + name);
        }
        return text;
    }

    /** For a campaign that needs something else. */
    public CommandFailure refused(String name, String needed) {
        return refused(name, needed, null);
    }

    private CommandFailure refused(String name, String needed, @Nullable Throwable cause) {
        return new CommandFailure(
                ExitCode.USAGE,
                "the setting " + name + " needs " + needed + ", not '" + text(name) + "'",
                "see 'wl prove --list'",
                cause);
    }
}
