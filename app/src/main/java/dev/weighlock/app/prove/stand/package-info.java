/** What every campaign stands on: a database, a watcher in another process, findings and the file that keeps them. */
@NullMarked
package dev.weighlock.app.prove.stand;

import org.jspecify.annotations.NullMarked;
