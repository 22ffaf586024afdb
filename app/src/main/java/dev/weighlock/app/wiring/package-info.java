/** The only place that builds the whole: settings, repository, backend, launcher. */
@NullMarked
package dev.weighlock.app.wiring;

import org.jspecify.annotations.NullMarked;
