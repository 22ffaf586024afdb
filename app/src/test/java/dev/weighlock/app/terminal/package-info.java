@NullMarked
package dev.weighlock.app.terminal;

import org.jspecify.annotations.NullMarked;
