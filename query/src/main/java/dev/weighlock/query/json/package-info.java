/** How the query runtime's values are written as JSON objects and read back. Not exported. */
@NullMarked
package dev.weighlock.query.json;

import org.jspecify.annotations.NullMarked;
