package dev.weighlock.jobs.code;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.config.Configuration;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes that job files name: those of the program, and those of {@code classpath} in the settings.
 *
 * <p>Thread-safe; the monitor guards the loader, which is made when a class is first asked for. Whoever made it closes
 * it, after the jobs that use it.
 */
public final class UserClasses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UserClasses.class);

    private final Path folder;
    private final List<String> patterns;
    private @Nullable URLClassLoader loader;

    private UserClasses(Path folder, List<String> patterns) {
        this.folder = folder;
        this.patterns = List.copyOf(patterns);
    }

    /** The class path of the settings; its paths begin where they stand. */
    public static UserClasses of(Configuration configuration) {
        return new UserClasses(configuration.folder(), configuration.classpath());
    }

    /** The program's own classes only. */
    public static UserClasses none() {
        return new UserClasses(Path.of(""), List.of());
    }

    /** Why a name cannot stand where one of these types is needed; empty when it can. The class is not initialised. */
    public Optional<String> problem(String name, List<Class<?>> oneOf) {
        Optional<Class<?>> type = find(name);
        if (type.isEmpty()) {
            return Optional.of("the class '%s' is not on the class path".formatted(name));
        }
        Class<?> found = type.get();
        if (oneOf.stream().noneMatch(port -> port.isAssignableFrom(found))) {
            return Optional.of("the class '%s' is no %s".formatted(name, names(oneOf)));
        }
        boolean throwable = Throwable.class.isAssignableFrom(found);
        return throwable || constructor(found).isPresent()
                ? Optional.empty()
                : Optional.of(("the class '%s' cannot be made: it must be public and have a public constructor"
                                + " without parameters or with one Map<String, String>")
                        .formatted(name));
    }

    private static String names(List<Class<?>> types) {
        return types.stream().map(Class::getSimpleName).collect(Collectors.joining(" or "));
    }

    /** Whether the class says so of itself. */
    public boolean isExactlyOnce(String name) {
        return find(name)
                .filter(type -> type.isAnnotationPresent(ExactlyOnce.class))
                .isPresent();
    }

    /** @throws StepFailure where there is no such class of that type */
    public <T> Class<? extends T> named(String name, Class<T> port) {
        problem(name, List.of(port)).ifPresent(what -> {
            throw unusable(what, null);
        });
        return find(name).orElseThrow().asSubclass(port);
    }

    /** A new object without values. */
    public <T> T create(String name, Class<T> port) {
        return port.cast(create(name, List.of(port), Map.of()));
    }

    /**
     * A new object of one of these types.
     *
     * @param with given to its constructor, where that takes them
     * @throws StepFailure where it cannot be made
     */
    public Object create(String name, List<Class<?>> oneOf, Map<String, String> with) {
        problem(name, oneOf).ifPresent(what -> {
            throw unusable(what, null);
        });
        Constructor<?> constructor = constructor(find(name).orElseThrow()).orElseThrow();
        if (constructor.getParameterCount() == 0 && !with.isEmpty()) {
            throw unusable(
                    "the class '%s' takes no values: it has no constructor with a Map<String, String>".formatted(name),
                    null);
        }
        try {
            return constructor.getParameterCount() == 0
                    ? constructor.newInstance()
                    : constructor.newInstance(Map.copyOf(with));
        } catch (InvocationTargetException own) {
            throw unusable(
                    "the constructor of the class '%s' failed: %s".formatted(name, own.getCause()), own.getCause());
        } catch (ReflectiveOperationException unreachable) {
            throw unusable("the class '%s' cannot be made".formatted(name), unreachable);
        }
    }

    /** The one that takes values is preferred. */
    private static Optional<Constructor<?>> constructor(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            return Optional.empty();
        }
        return Stream.<Class<?>[]>of(new Class<?>[] {Map.class}, new Class<?>[0])
                .flatMap(wanted -> Arrays.stream(type.getConstructors())
                        .filter(one -> Arrays.equals(one.getParameterTypes(), wanted)))
                .findFirst();
    }

    private Optional<Class<?>> find(String name) {
        try {
            return Optional.of(Class.forName(name, false, loader()));
        } catch (ClassNotFoundException | LinkageError missing) {
            return Optional.empty();
        }
    }

    private synchronized ClassLoader loader() {
        ClassLoader own = UserClasses.class.getClassLoader();
        if (patterns.isEmpty()) {
            return own;
        }
        URLClassLoader made = loader;
        if (made == null) {
            made = new URLClassLoader(
                    patterns.stream()
                            .flatMap(pattern -> ClassPath.find(folder, pattern).stream())
                            .toArray(URL[]::new),
                    own);
            loader = made;
        }
        return made;
    }

    private static StepFailure unusable(String what, @Nullable Throwable cause) {
        return new StepFailure(
                FailureCategory.STEP_FAILED, what + "; correct the job file, or 'classpath' in weighlock.yaml", cause);
    }

    @Override
    public synchronized void close() {
        URLClassLoader made = loader;
        if (made != null) {
            try {
                made.close();
            } catch (IOException e) {
                LOG.warn("the class path of the settings could not be closed", e);
            }
        }
    }
}
