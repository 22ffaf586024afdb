package dev.weighlock.batch.flow;

/** Where a transition leads. */
public sealed interface Target {
    Target COMPLETE = new End(Ending.COMPLETE);
    Target FAIL = new End(Ending.FAIL);
    Target STOP = new End(Ending.STOP);

    /** Reads {@code COMPLETE}, {@code FAIL}, {@code STOP} or a node's id. */
    static Target parse(String text) {
        return switch (text) {
            case "COMPLETE" -> COMPLETE;
            case "FAIL" -> FAIL;
            case "STOP" -> STOP;
            default -> new To(text);
        };
    }

    /** The text that {@link #parse} reads. */
    String text();

    /** Another node. */
    record To(String node) implements Target {
        @Override
        public String text() {
            return node;
        }
    }

    /** The end of the flow. */
    record End(Ending ending) implements Target {
        @Override
        public String text() {
            return ending.name();
        }
    }

    /** How a flow ends. A stopped or failed job may be restarted. */
    enum Ending {
        COMPLETE,
        FAIL,
        STOP
    }
}
