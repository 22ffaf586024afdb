@NullMarked
package dev.weighlock.app.prove;

import org.jspecify.annotations.NullMarked;
