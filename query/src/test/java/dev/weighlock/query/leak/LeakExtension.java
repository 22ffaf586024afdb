package dev.weighlock.query.leak;

import dev.weighlock.query.testing.LeakCheck;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Fails every test that leaves a grant, permit, lease or receiver open, naming its holder. Registered for all tests of this
 * module by the service file beside it; it begins a {@link LeakCheck} before the test's instance is made, so that
 * fixtures in fields are watched too.
 */
public final class LeakExtension implements TestInstancePreConstructCallback, AfterEachCallback {

    public LeakExtension() {}

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        LeakCheck.beginOnThread();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        LeakCheck check = LeakCheck.onThread();
        try {
            check.close();
        } catch (AssertionError leak) {
            if (!isAllowed(context)) {
                throw leak;
            }
        }
    }

    private static boolean isAllowed(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), LeavesOpen.class)
                || AnnotationSupport.isAnnotated(context.getRequiredTestClass(), LeavesOpen.class);
    }
}
