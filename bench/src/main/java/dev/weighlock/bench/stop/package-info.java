/** How long a stop takes, as an outsider sees it. */
@NullMarked
package dev.weighlock.bench.stop;

import org.jspecify.annotations.NullMarked;
