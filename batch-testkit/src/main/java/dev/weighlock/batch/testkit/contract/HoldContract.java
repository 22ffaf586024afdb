package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.LaunchDecision;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Holds, and the trail of who did what. */
abstract class HoldContract extends RepositoryTest {
    private static AuditEntry keyed(String action, String key) {
        return new AuditEntry(action, "eve@here", "since", Optional.of(key));
    }

    @Test
    void held_isNotRestartedUntilItIsReleased() {
        var failed = become(started(), BatchStatus.FAILED);

        var hold = repository.placeHold(failed, Samples.AUDIT);

        assertThat(hold.actor()).isEqualTo("somebody@here");
        assertThat(hold.reason()).isEqualTo("because");
        assertThat(repository.hold(failed.instance().id())).contains(hold);
        assertThat(repository.createExecution(Samples.restart(failed, node)))
                .isEqualTo(new LaunchDecision.Held(failed, hold));
        assertThat(repository.releaseHold(failed, Samples.AUDIT)).isTrue();
        assertThat(repository.releaseHold(failed, Samples.AUDIT)).isFalse();
        assertThat(restart(failed).attempt()).isEqualTo(2);
    }

    @Test
    void hold_again_keepsTheFirst() {
        var failed = become(started(), BatchStatus.FAILED);
        var first = repository.placeHold(failed, Samples.AUDIT);

        assertThat(repository.placeHold(failed, new AuditEntry("hold", "adam", "mine")))
                .isEqualTo(first);
        assertThat(repository.auditTrail(failed.id(), 10)).hasSize(1);
    }

    @Test
    void trail_hasEveryActInOrderAndItsNewest() {
        var failed = become(started(), BatchStatus.FAILED);
        repository.placeHold(failed, new AuditEntry("hold", "eve", "look"));
        repository.releaseHold(failed, new AuditEntry("release", "eve", "seen"));
        repository.abandon(failed, new AuditEntry("abandon", "adam", "no use"));

        assertThat(repository.auditTrail(failed.id(), 10))
                .extracting(record -> record.entry().action())
                .containsExactly("hold", "release", "abandon");
        assertThat(repository.auditTrail(failed.id(), 2))
                .extracting(record -> record.entry().detail())
                .containsExactly("seen", "no use");
        assertThat(repository.auditTrail(failed.id(), 10))
                .extracting(AuditRecord::execution)
                .containsOnly(OptionalLong.of(failed.id()));
    }

    @Test
    void key_usedTwice_refusesTheSecondActAndChangesNothing() {
        var one = become(become(launch("job", "1"), BatchStatus.STARTED), BatchStatus.FAILED);
        var two = become(become(launch("job", "2"), BatchStatus.STARTED), BatchStatus.FAILED);
        repository.abandon(one, keyed("abandon", "k-1"));

        assertRefused(BatchError.ALREADY_DONE, () -> repository.abandon(two, keyed("abandon", "k-1")));

        assertThat(repository.execution(two.id())).contains(two);
        assertThat(repository.auditTrail(two.id(), 10)).isEmpty();
        assertThat(repository.audited("k-1").orElseThrow().execution()).hasValue(one.id());
        assertThat(repository.audited("k-2")).isEmpty();
    }

    @Test
    void audit_ofNoExecution_isFoundByItsKey() {
        repository.audit(keyed("purge", "k-1"));

        var record = repository.audited("k-1").orElseThrow();
        assertThat(record.execution()).isEmpty();
        assertThat(record.entry()).isEqualTo(keyed("purge", "k-1"));
    }

    @Test
    void abandon_ofASupersededAttempt_namesTheLast() {
        var first = become(started(), BatchStatus.FAILED);
        var second = become(restart(first), BatchStatus.STOPPED);

        assertRefused(BatchError.STALE_VERSION, () -> repository.abandon(first, Samples.AUDIT));

        assertThat(repository.execution(first.id())).contains(first);
        assertThat(repository.abandon(second, Samples.AUDIT).status()).isEqualTo(BatchStatus.ABANDONED);
    }
}
