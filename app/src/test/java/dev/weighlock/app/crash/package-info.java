@NullMarked
package dev.weighlock.app.crash;

import org.jspecify.annotations.NullMarked;
