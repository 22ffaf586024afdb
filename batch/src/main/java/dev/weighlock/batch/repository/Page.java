package dev.weighlock.batch.repository;

import java.util.List;
import java.util.Optional;

/**
 * A page of a listing, newest first.
 *
 * @param next opaque cursor of the next page; empty on the last
 */
public record Page<T>(List<T> items, Optional<String> next) {
    public Page {
        items = List.copyOf(items);
    }
}
