/** How a command ends: exit codes, and failures that say what, where and what to do. */
@NullMarked
package dev.weighlock.app.exit;

import org.jspecify.annotations.NullMarked;
