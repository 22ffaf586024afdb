/** The facade: submit a query, watch it, read its rows or its file, get its sealed report. */
@NullMarked
package dev.weighlock.query.backend;

import org.jspecify.annotations.NullMarked;
