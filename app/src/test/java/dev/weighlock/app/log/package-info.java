@NullMarked
package dev.weighlock.app.log;

import org.jspecify.annotations.NullMarked;
