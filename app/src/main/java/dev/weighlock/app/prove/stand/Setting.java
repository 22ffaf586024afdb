package dev.weighlock.app.prove.stand;

/**
 * One figure of a campaign's shape.
 *
 * @param name as given to {@code --set}
 * @param standard the text that holds unless it is set
 * @param meaning for the list
 */
public record Setting(String name, String standard, String meaning) {}
