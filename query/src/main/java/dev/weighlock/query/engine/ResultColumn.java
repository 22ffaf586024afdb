package dev.weighlock.query.engine;

/**
 * A column of a result.
 *
 * @param name as the statement gives it
 * @param type the engine's name of the type, such as {@code DECIMAL(15,2)}
 */
public record ResultColumn(String name, String type) {}
