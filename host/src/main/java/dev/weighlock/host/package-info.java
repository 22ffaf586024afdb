/** Operating-system locks that prove a process on this host is alive. */
@NullMarked
package dev.weighlock.host;

import org.jspecify.annotations.NullMarked;
