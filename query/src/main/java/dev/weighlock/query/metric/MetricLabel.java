package dev.weighlock.query.metric;

import java.util.Locale;

/** The closed set of labels. */
public enum MetricLabel {
    DEVICE,
    DISPOSITION,
    OUTCOME,
    DURATION;

    /** The label as exporters spell it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
