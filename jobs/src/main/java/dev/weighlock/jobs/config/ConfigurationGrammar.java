package dev.weighlock.jobs.config;

import static dev.weighlock.jobs.yaml.Scalars.DURATION_TEXT;
import static dev.weighlock.jobs.yaml.Scalars.NON_EMPTY;
import static dev.weighlock.jobs.yaml.Scalars.SIZE_TEXT;
import static dev.weighlock.jobs.yaml.Scalars.name;
import static dev.weighlock.jobs.yaml.Scalars.oneOf;
import static dev.weighlock.jobs.yaml.Scalars.whole;

import dev.weighlock.jobs.yaml.ScalarShape;
import dev.weighlock.jobs.yaml.Shape;

/** Every key of {@code weighlock.yaml}. */
final class ConfigurationGrammar {
    static final ScalarShape<Long> COUNT = whole(1, 1_000_000);
    static final ScalarShape<Long> POOL_SIZE = whole(1, 200);
    static final ScalarShape<String> NAME = name(128);
    static final ScalarShape<String> CHECKPOINT = oneOf("create", "existing");
    static final ScalarShape<String> TLS_MODE = oneOf("disable", "require", "verify-ca", "verify-full");

    private static final Shape TLS = Shape.record("'tls'")
            .required("mode", TLS_MODE)
            .optional("ca", NON_EMPTY)
            .build();

    private static final Shape REPOSITORY = Shape.record("'repository'")
            .optional("url", NON_EMPTY.orNull())
            .optional("control_url", NON_EMPTY.orNull())
            .optional("user", NON_EMPTY)
            .optional("password", NON_EMPTY)
            .optional("tls", TLS)
            .optional("pool", POOL_SIZE)
            .optional("heartbeat", DURATION_TEXT)
            .optional("lease", DURATION_TEXT)
            .optional("poll", DURATION_TEXT)
            .build();

    private static final Shape CONNECTION = Shape.record("a connection")
            .required("url", NON_EMPTY)
            .optional("user", NON_EMPTY)
            .optional("password", NON_EMPTY)
            .optional("tls", TLS)
            .optional("checkpoint", CHECKPOINT)
            .build();

    private static final Shape DEVICE = Shape.record("a device")
            .optional("limit", SIZE_TEXT.orWord("auto"))
            .optional("headroom", SIZE_TEXT.orWord("auto"))
            .optional("reserve", SIZE_TEXT.orWord("auto"))
            .optional("cache", SIZE_TEXT)
            .optional("max_active", COUNT.orWord("auto"))
            .optional("default_cap", SIZE_TEXT.orWord("auto"))
            .optional("threads", COUNT.orWord("auto"))
            .build();

    private static final Shape POOL = Shape.record("a pool")
            .optional("weight", COUNT)
            .optional("max_running", COUNT.orNull())
            .optional("max_queued", COUNT)
            .optional("max_wait", DURATION_TEXT)
            .optional("max_cap", SIZE_TEXT.orNull())
            .build();

    private static final Shape SHUTDOWN = Shape.record("'shutdown'")
            .optional("deadline", DURATION_TEXT)
            .optional("task_join", DURATION_TEXT)
            .optional("telemetry_flush", DURATION_TEXT)
            .optional("pool_close", DURATION_TEXT)
            .build();

    static final Shape ROOT = Shape.record("the settings")
            .optional("repository", REPOSITORY)
            .optional("connections", Shape.mapOf(NAME, CONNECTION))
            .optional("devices", Shape.mapOf(oneOf("host"), DEVICE))
            .optional("pools", Shape.mapOf(NAME, POOL))
            .optional("classpath", Shape.listOf(NON_EMPTY))
            .optional(
                    "logs",
                    Shape.record("'logs'").optional("keep", DURATION_TEXT).build())
            .optional("shutdown", SHUTDOWN)
            .build();

    private ConfigurationGrammar() {}
}
