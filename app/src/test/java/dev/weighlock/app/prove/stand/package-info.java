@NullMarked
package dev.weighlock.app.prove.stand;

import org.jspecify.annotations.NullMarked;
