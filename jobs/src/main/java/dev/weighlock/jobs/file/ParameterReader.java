package dev.weighlock.jobs.file;

import dev.weighlock.jobs.parameter.DeclaredParameters;
import dev.weighlock.jobs.parameter.ParameterDeclaration;
import dev.weighlock.jobs.parameter.ParameterType;
import dev.weighlock.jobs.template.Reference;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Entry;
import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code parameters}. */
final class ParameterReader {
    private final Problems problems;

    ParameterReader(Problems problems) {
        this.problems = problems;
    }

    DeclaredParameters read(Entries root) {
        List<ParameterDeclaration> declarations = new ArrayList<>();
        for (Entry entry : root.map("parameters").map(Entries::entries).orElse(List.of())) {
            checkName(entry);
            if (entry.value() instanceof Entries keys) {
                // One whose type is wrong stays known, so that its uses are no further problems.
                ParameterType type =
                        keys.read("type", JobGrammar.PARAMETER_TYPE).orElse(ParameterType.STRING);
                declarations.add(declaration(entry, keys, type));
            }
        }
        return new DeclaredParameters(declarations);
    }

    private void checkName(Entry entry) {
        String name = entry.key();
        if (name.equals(Reference.PARTITION)
                || name.startsWith(Reference.PARTITION_PREFIX)
                || name.contains(Reference.CONTEXT_MARK)) {
            problems.error(
                    entry.keyAt(),
                    "the parameter name '%s' is reserved".formatted(name),
                    "choose one that is not 'partition', does not begin with 'partition_' and has no '_context_'");
        }
    }

    private ParameterDeclaration declaration(Entry entry, Entries keys, ParameterType type) {
        boolean secret = type == ParameterType.SECRET;
        Optional<Boolean> identifying = keys.read("identifying", Scalars.FLAG);
        if (secret && identifying.orElse(false)) {
            problems.error(entry.keyAt(), "a secret cannot be identifying", "remove 'identifying'");
        }
        ZoneId zone = keys.read("zone", Scalars.ZONE).orElse(ZoneOffset.UTC);
        Optional<String> defaultText = keys.text("default");
        if (defaultText.isPresent()
                && type.parseDefault(defaultText.get(), Clock.systemUTC(), zone).isEmpty()) {
            problems.error(
                    keys.value("default").orElseThrow().at(),
                    "the default of parameter '%s' is no %s".formatted(entry.key(), type.label()),
                    "write " + type.example());
        }
        return new ParameterDeclaration(entry.key(), type, identifying.orElse(!secret), defaultText, zone);
    }
}
