package dev.weighlock.app.house;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The arrows of the house: which module may use which, and no cycles between packages. */
class HouseTest {
    private static final String ROOT = "dev.weighlock.";

    /** Root package of each module, and the root packages of the modules it may use. */
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "host", Set.of(),
            "query", Set.of("host"),
            "query.testkit", Set.of("query"),
            "duckdb", Set.of("query", "host"),
            "batch", Set.of("host"),
            "batch.testkit", Set.of("batch", "host"),
            "batch.jdbc", Set.of("batch", "host"),
            "jobs", Set.of("batch", "query", "batch.jdbc"),
            "app", Set.of("host", "query", "duckdb", "batch", "batch.jdbc", "jobs"),
            "bench",
                    Set.of(
                            "host",
                            "query",
                            "query.testkit",
                            "duckdb",
                            "batch",
                            "batch.testkit",
                            "batch.jdbc",
                            "jobs",
                            "app"));

    /** The cores use nothing but the JDK and these. */
    private static final Map<String, List<String>> LIBRARIES = Map.of(
            "host", List.of("java.", "org.jspecify."),
            "query", List.of("java.", "com.sun.management.", "org.jspecify.", "org.slf4j.", "tools.jackson.core."),
            "batch", List.of("java.", "javax.sql.", "org.jspecify.", "org.slf4j.", "tools.jackson.core."));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.weighlock");

    @Test
    void modules_useOnlyWhatTheTableAllows() {
        Set<String> broken = new TreeSet<>();
        for (JavaClass user : CLASSES) {
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (isOurs(used) && !mayUse(module(user), module(used))) {
                    broken.add(user.getName() + " uses " + used.getName());
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void cores_useOnlyTheJdkAndTheirFewLibraries() {
        Set<String> broken = new TreeSet<>();
        for (JavaClass user : CLASSES) {
            List<String> allowed = LIBRARIES.get(module(user));
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (allowed != null
                        && !used.isPrimitive()
                        && !isOurs(used)
                        && !startsWithAny(used.getName(), allowed)) {
                    broken.add(user.getName() + " uses " + used.getName());
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void packages_haveNoCycles() {
        slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void everyModuleOfTheTable_isLookedAt() {
        Set<String> seen = new TreeSet<>();
        CLASSES.forEach(type -> seen.add(module(type)));

        assertThat(seen).contains("host", "query", "duckdb", "batch", "batch.jdbc", "jobs", "app");
    }

    private static boolean isOurs(JavaClass type) {
        return type.getName().startsWith(ROOT);
    }

    private static boolean mayUse(String user, String used) {
        return user.equals(used) || ARROWS.getOrDefault(user, Set.of()).contains(used);
    }

    /** The longest root package that the class lies in: batch.jdbc is no part of batch. */
    private static String module(JavaClass type) {
        return ARROWS.keySet().stream()
                .filter(root -> (type.getPackageName() + ".").startsWith(ROOT + root + "."))
                .max(Comparator.comparingInt(String::length))
                .orElseThrow(() -> new AssertionError(type.getName() + " lies in no module of the table"));
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        return prefixes.stream().anyMatch(name::startsWith);
    }

    /** Every package is a slice of its own. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return isOurs(type) ? SliceIdentifier.of(type.getPackageName()) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of Weighlock";
        }
    }
}
