#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/database_fixture.h"
#include "tuner/jit/source_set.h"

namespace redtune::test {

/// Returns a candidate whose kernel compiles: the family's first values, except for the given parameters. Its launch
/// rule is that of db::candidate().
inline Candidate real_candidate(const std::vector<Family>& families, std::string_view name,
                                const std::vector<Parameter>& given = {}) {
    Candidate made = db::candidate();
    const Family& family = jit::find_family(families, name);
    made.configuration = {family.name, {}};
    for (const ParameterValues& parameter : family.parameters) {
        Value value = parameter.values.front();
        for (const Parameter& each : given) {
            if (each.name == parameter.name) value = each.value;
        }
        made.configuration.parameters.push_back({parameter.name, value});
    }
    return made;
}

}  // namespace redtune::test
