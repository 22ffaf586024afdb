/** What holds for all modules at once. */
@NullMarked
package dev.weighlock.app.house;

import org.jspecify.annotations.NullMarked;
