@NullMarked
package dev.weighlock.app.command;

import org.jspecify.annotations.NullMarked;
