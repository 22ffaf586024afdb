package dev.weighlock.app.terminal;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * {@code sun.misc.Signal} by reflection: the compiler warns about that class in a way that no annotation silences, and our build
 * takes warnings for errors. The class is exported by the module jdk.unsupported for exactly this use.
 */
final class SignalHook {
    private final Class<?> signalClass;
    private final Class<?> handlerClass;

    SignalHook() {
        try {
            signalClass = Class.forName("sun.misc.Signal");
            handlerClass = Class.forName("sun.misc.SignalHandler");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal", e);
        }
    }

    /** Runs {@code action} whenever the signal comes, on a thread of its own. */
    void handle(String name, Runnable action) {
        Object handler = Proxy.newProxyInstance(
                SignalHook.class.getClassLoader(),
                new Class<?>[] {handlerClass},
                (proxy, method, arguments) -> callHandler(proxy, method, arguments, action));
        try {
            Object signal = signalClass.getConstructor(String.class).newInstance(name);
            Method handle = signalClass.getMethod("handle", signalClass, handlerClass);
            handle.invoke(null, signal, handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot take the signal " + name, e);
        }
    }

    private static Object callHandler(Object proxy, Method method, Object[] arguments, Runnable action) {
        return switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield proxy;
            }
            case "equals" -> System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "signal handler of wl";
        };
    }
}
