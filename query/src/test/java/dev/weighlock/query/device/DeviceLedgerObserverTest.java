package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeviceLedgerObserverTest {
    private final DeviceLedger ledger = ledger(host(0, 100, 4).cacheCap(20));

    @Test
    void transitions_carryTheirOwnSequenceFromOneWithoutGaps() {
        List<Long> sequences = new ArrayList<>();
        List<TransitionKind> kinds = new ArrayList<>();
        ledger.observeTransitions(transition -> {
            kinds.add(transition.kind());
            sequences.add(transition.snapshot().sequence());
        });
        assertThat(ledger.snapshot().sequence()).isZero();

        Grant grant = ledger.tryAdmit(request(10)).orElseThrow();
        ResidentLease resident = grant.retainResident(4).orElseThrow();
        resident.close();
        CacheEntry entry = ledger.cache().tryCharge(5).orElseThrow();
        CacheEntry.Pin pin = entry.pin();
        pin.close();
        entry.releaseDestroyed();
        grant.prepareFreeze(1);
        grant.publishFreeze();
        grant.close();
        ledger.closeAdmission("done");

        assertThat(kinds)
                .containsExactly(
                        TransitionKind.GRANT_ADMITTED,
                        TransitionKind.RESIDENT_OWNER_CHARGED,
                        TransitionKind.RESIDENT_OWNER_RELEASED,
                        TransitionKind.EVICTABLE_CHARGED,
                        TransitionKind.CACHE_PINNED,
                        TransitionKind.CACHE_UNPINNED,
                        TransitionKind.EVICTABLE_RELEASED,
                        TransitionKind.GRANT_FROZEN,
                        TransitionKind.GRANT_RELEASED,
                        TransitionKind.ADMISSION_CLOSED);
        assertThat(sequences).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(ledger.snapshot().sequence()).isEqualTo(10);
    }

    @Test
    void observerRegistration_raisesNothing() {
        ledger.observeTransitions(_ -> {});
        ledger.observeAdmission(_ -> {});

        assertThat(ledger.snapshot().sequence()).isZero();
    }

    @Test
    void transitionSnapshot_isTheStateRightAfterTheMutation() {
        List<LedgerSnapshot> seen = new ArrayList<>();
        ledger.observeTransitions(transition -> seen.add(transition.snapshot()));

        Grant grant = ledger.tryAdmit(request(30)).orElseThrow();

        assertThat(seen).containsExactly(ledger.snapshot());
        assertThat(seen.getFirst().liveGrantBytes()).isEqualTo(30);
        grant.close();
    }

    @Test
    void observerThatReenters_isRefusedInEveryWay() {
        List<Throwable> refusals = new ArrayList<>();
        Grant outer = ledger.tryAdmit(request(5)).orElseThrow();
        ResidentLease resident = outer.retainResident(2).orElseThrow();
        ledger.observeTransitions(transition -> {
            if (transition.kind() == TransitionKind.GRANT_ADMITTED) {
                refusals.add(refusalOf(ledger::snapshot));
                refusals.add(refusalOf(ledger::report));
                refusals.add(refusalOf(ledger::health));
                refusals.add(refusalOf(() -> ledger.tryAdmit(request(1))));
                refusals.add(refusalOf(() -> ledger.closeAdmission("x")));
                refusals.add(refusalOf(() -> ledger.cache().tryReserve(1)));
                refusals.add(refusalOf(outer::close));
                refusals.add(refusalOf(resident::close));
            }
        });

        Grant inner = ledger.tryAdmit(request(10)).orElseThrow();

        assertThat(refusals)
                .hasSize(8)
                .allSatisfy(refusal -> assertThat(refusal).isInstanceOfSatisfying(QueryException.class, reentry -> {
                    assertThat(reentry.facts().has(Reason.LEDGER_OBSERVER_REENTRANCY))
                            .isTrue();
                    assertThat(reentry.facts().value(FactKey.ACTION)).isPresent();
                }));
        assertThat(ledger.snapshot().liveGrantBytes()).isEqualTo(15);
        resident.close();
        outer.close();
        inner.close();
        assertThat(ledger.snapshot().active()).isZero();
    }

    private static @Nullable Throwable refusalOf(Runnable action) {
        try {
            action.run();
            return null;
        } catch (QueryException refusal) {
            return refusal;
        }
    }

    @Test
    void throwingObservers_changeNothingAndOthersStillHear() {
        List<TransitionKind> inLock = new ArrayList<>();
        List<TransitionKind> afterLock = new ArrayList<>();
        ledger.observeTransitions(_ -> {
            throw new IllegalStateException("observer");
        });
        ledger.observeTransitions(transition -> inLock.add(transition.kind()));
        ledger.observeAdmission(_ -> {
            throw new AssertionError("observer");
        });
        ledger.observeAdmission(transition -> afterLock.add(transition.kind()));

        ledger.tryAdmit(request(10)).orElseThrow().close();

        assertThat(inLock).containsExactly(TransitionKind.GRANT_ADMITTED, TransitionKind.GRANT_RELEASED);
        assertThat(afterLock).containsExactly(TransitionKind.GRANT_RELEASED);
        assertThat(ledger.tryAdmit(request(100 - 20))).isPresent().get().satisfies(Grant::close);
    }

    @Test
    void admissionObservers_hearOnlyReleaseCloseAndFrozenPublish() {
        List<TransitionKind> heard = new ArrayList<>();
        ledger.observeAdmission(transition -> heard.add(transition.kind()));

        Grant grant = ledger.tryAdmit(request(10)).orElseThrow();
        grant.retainResident(2).orElseThrow().close();
        CacheEntry entry = ledger.cache().tryCharge(5).orElseThrow();
        entry.pin().close();
        entry.releaseDestroyed();
        assertThat(heard).isEmpty();

        grant.prepareFreeze(1);
        assertThat(heard).isEmpty();
        grant.publishFreeze();
        grant.close();
        ledger.closeAdmission("done");
        ledger.closeAdmissionIfOpen("again");
        assertThat(heard)
                .containsExactly(
                        TransitionKind.GRANT_FROZEN, TransitionKind.GRANT_RELEASED, TransitionKind.ADMISSION_CLOSED);
    }

    @Test
    void admissionObserver_mayCallTheLedger() {
        List<Optional<Grant>> admitted = new ArrayList<>();
        Grant full = ledger.tryAdmit(request(80)).orElseThrow();
        ledger.observeAdmission(_ -> {
            if (admitted.isEmpty()) {
                admitted.add(ledger.tryAdmit(request(80)));
            }
        });

        full.close();

        assertThat(admitted)
                .singleElement()
                .satisfies(grant -> grant.orElseThrow().close());
    }

    @Test
    void observer_mayActOnAHigherOrdinalOnly() {
        DeviceLedger low = ledger(1, 100, 4);
        DeviceLedger high = ledger(2, 100, 4);
        List<Boolean> upwards = new ArrayList<>();
        List<Throwable> downwards = new ArrayList<>();
        low.observeTransitions(transition -> {
            if (transition.kind() == TransitionKind.GRANT_ADMITTED) {
                high.tryAdmit(request(1)).orElseThrow().close();
                upwards.add(true);
            }
        });
        high.observeTransitions(_ -> {
            Throwable refusal = refusalOf(low::snapshot);
            if (refusal != null) {
                downwards.add(refusal);
            }
        });

        low.tryAdmit(request(1)).orElseThrow().close();

        assertThat(upwards).containsExactly(true);
        assertThat(downwards).hasSize(2);
        assertThat(high.snapshot().active()).isZero();
    }

    @Test
    void admissionObserver_ofAReleaseInsideAnotherLedger_runsAfterTheOuterLock() throws InterruptedException {
        DeviceLedger low = ledger(1, 100, 4);
        DeviceLedger high = ledger(2, 100, 4);
        Grant held = high.tryAdmit(request(1)).orElseThrow();
        List<Boolean> outerLockFree = new ArrayList<>();
        low.observeTransitions(_ -> held.close());
        high.observeAdmission(_ -> outerLockFree.add(canBeReadByAnotherThread(low)));

        Grant grant = low.tryAdmit(request(1)).orElseThrow();

        assertThat(outerLockFree).containsExactly(true);
        grant.close();
    }

    private static boolean canBeReadByAnotherThread(DeviceLedger ledger) {
        CountDownLatch read = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(() -> {
            ledger.snapshot();
            read.countDown();
        });
        try {
            return read.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void observers_nestThroughAllSixtyFourDevices() {
        List<Grant> nested = new ArrayList<>();
        List<DeviceLedger> ledgers = new ArrayList<>();
        for (int ordinal = 0; ordinal < DeviceProfile.DEVICE_SLOTS; ordinal++) {
            ledgers.add(ledger(ordinal, 10, 1));
        }
        for (int ordinal = 0; ordinal + 1 < ledgers.size(); ordinal++) {
            DeviceLedger next = ledgers.get(ordinal + 1);
            ledgers.get(ordinal)
                    .observeTransitions(_ -> next.tryAdmit(request(1)).ifPresent(nested::add));
        }

        Grant first = ledgers.getFirst().tryAdmit(request(1)).orElseThrow();

        assertThat(ledgers)
                .allSatisfy(each -> assertThat(each.snapshot().active()).isEqualTo(1));
        assertThat(HeldLedgers.current().highest()).isEqualTo(HeldLedgers.NONE);
        assertThat(nested).hasSize(DeviceProfile.DEVICE_SLOTS - 1);
        // Upwards, so that what an observer would admit anew still finds its device full.
        first.close();
        nested.reversed().forEach(Grant::close);
    }

    @Test
    void poisonedObserverLists_refuseRegistrationAndStillDeliver() {
        List<TransitionKind> heard = new ArrayList<>();
        ledger.observeTransitions(transition -> heard.add(transition.kind()));
        poison(ledger.transitionObservers());
        poison(ledger.admissionObservers());

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> ledger.observeTransitions(_ -> {}))
                .matches(refusal -> refusal.facts().has(Reason.TRANSITION_OBSERVER_MUTEX_POISONED));
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> ledger.observeAdmission(_ -> {}))
                .matches(refusal -> refusal.facts().has(Reason.ADMISSION_OBSERVER_MUTEX_POISONED));
        ledger.tryAdmit(request(1)).orElseThrow().close();
        assertThat(heard).containsExactly(TransitionKind.GRANT_ADMITTED, TransitionKind.GRANT_RELEASED);
    }

    private static void poison(ObserverList<?> observers) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> observers.inRegistration(() -> {
                    throw new IllegalStateException("inside the critical section");
                }));
    }
}
