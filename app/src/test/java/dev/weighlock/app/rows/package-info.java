@NullMarked
package dev.weighlock.app.rows;

import org.jspecify.annotations.NullMarked;
