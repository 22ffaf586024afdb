/** What operators do to executions: stop, restart, abandon, recover, look. */
@NullMarked
package dev.weighlock.batch.operate;

import org.jspecify.annotations.NullMarked;
