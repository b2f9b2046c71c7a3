#include "tuner/cli/option_values.h"

#include <algorithm>
#include <array>

#include "db/location.h"
#include "redtune/match.h"
#include "redtune/problem.h"
#include "tuner/core/built_in_families.h"
#include "tuner/search/effort.h"
#include "tuner/search/strategy_kind.h"
#include "tuner/timing/data_kind.h"

namespace redtune::cli {

namespace {

using Names = std::vector<std::string>;

Names family_names() {
    Names names;
    for (const Family& family : built_in_families()) names.push_back(family.name);
    return names;
}

Names regime_names() {
    Names names;
    for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back})
        names.emplace_back(to_string(regime));
    return names;
}

Names match_kind_names() {
    Names names;
    for (const MatchKind kind : match_kinds()) names.emplace_back(to_string(kind));
    return names;
}

Names data_names() {
    Names names;
    for (const timing::DataKindTraits& kind : timing::data_kinds()) names.emplace_back(timing::to_string(kind.kind));
    return names;
}

Names replay_names() {
    Names names;
    for (const db::Recording& recording : db::recordings()) names.push_back("replay:" + recording.name);
    return names;
}

/// An option with the function that returns its values.
struct OptionWithValues {
    std::string_view name;
    Names (*values)();
};

constexpr std::array options_with_values = {
    OptionWithValues{"--op", operator_names},
    OptionWithValues{"--dtype", type_names},
    OptionWithValues{"--accumulator", type_names},
    OptionWithValues{"--output", type_names},
    OptionWithValues{"--shape",
                     [] {
                         return Names{"whole", "rows:", "columns:"};
                     }},
    OptionWithValues{"--determinism",
                     [] {
                         return Names{"any", "run_to_run"};
                     }},
    OptionWithValues{"--regime", regime_names},
    OptionWithValues{"--effort", search::effort_names},
    OptionWithValues{"--data", data_names},
    OptionWithValues{"--match", match_kind_names},
    OptionWithValues{"--strategy", search::strategy_names},
    OptionWithValues{"--known",
                     [] {
                         return Names{"nothing", "neighbours", "earlier"};
                     }},
    OptionWithValues{"--device", replay_names},
    OptionWithValues{"--family", family_names},
    OptionWithValues{"--steps", family_names},
    OptionWithValues{"name", family_names},
    OptionWithValues{"SHELL",
                     [] {
                         return Names{"bash", "zsh", "fish"};
                     }},
};

constexpr std::array<std::string_view, 9> options_with_files = {"--db", "--folder", "--op-file", "--template", "-o",
                                                                "FILE", "--out",    "--data",    "--bench"};

}  // namespace

std::vector<std::string> option_values(std::string_view name) {
    for (const OptionWithValues& option : options_with_values) {
        if (option.name == name) return option.values();
    }
    return {};
}

bool takes_file(std::string_view name) {
    return std::find(options_with_files.begin(), options_with_files.end(), name) != options_with_files.end();
}

}  // namespace redtune::cli
