package dev.weighlock.app.prove.stand;

import java.util.List;

/** Some reports about one promise. A new one is one class, and one line in the list of {@code wl prove}. */
public interface Campaign {
    /** One word, as it is called on the command line. */
    String name();

    /** One line for the list. */
    String header();

    /** What can be told with {@code --set}. */
    List<Setting> settings();

    /**
     * Reads every setting, so that a bad one is refused before anything begins.
     *
     * @throws dev.weighlock.app.exit.CommandFailure USAGE naming the setting
     */
    void check(Settings settings);

    /** All that there are, in the order run. */
    List<Report> reports();

    /** Those that are asked for; all of them unless a setting chooses. */
    default List<Report> reports(Settings settings) {
        return reports();
    }
}
