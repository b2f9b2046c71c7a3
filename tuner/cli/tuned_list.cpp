#include "tuner/cli/tuned_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "tuner/cli/problem_options.h"
#include "tuner/core/size_list.h"
#include "tuner/report/problem_as_options.h"

namespace redtune::cli {

namespace {

/// An option with the distinct values that it has in the tuned problems.
struct OptionValues {
    std::string option;
    std::vector<std::string> values;
};

/// The tuned problems of one operator, as options with their values.
struct TunedOperator {
    std::string op;
    std::vector<OptionValues> options;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

void add_value(std::vector<OptionValues>& options, const std::string& option, const std::string& value) {
    auto found = std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.option == option; });
    if (found == options.end()) found = options.insert(options.end(), {option, {}});
    if (value.empty() || std::find(found->values.begin(), found->values.end(), value) != found->values.end()) return;
    found->values.push_back(value);
}

/// Adds the options in a text to the list: "--dtype f32 --destructive" adds the value f32 and the flag.
void add_options(std::vector<OptionValues>& options, const std::string& text) {
    std::istringstream words(text);
    std::string option;
    for (std::string word; words >> word;) {
        if (word.starts_with("--")) {
            option = word;
            add_value(options, option, "");
        } else {
            add_value(options, option, word);
        }
    }
}

std::string as_line(const TunedOperator& tuned) {
    constexpr std::size_t most_values = 8;
    std::vector<std::string> words;
    for (const OptionValues& each : tuned.options) {
        words.push_back(each.option);
        const std::size_t count = std::min(each.values.size(), most_values);
        std::string values = fmt::format("{}", fmt::join(each.values.begin(), each.values.begin() + count, ","));
        if (count < each.values.size()) values += fmt::format(",+{}", each.values.size() - count);
        if (!values.empty()) words.push_back(values);
    }
    return fmt::format("{} (n = {} to {})", fmt::join(words, " "), format_size(tuned.least), format_size(tuned.most));
}

}  // namespace

std::vector<std::string> list_tuned(const Catalog& catalog, std::string_view device) {
    std::vector<TunedOperator> operators;
    for (const Problem& problem : catalog.problems(device)) {
        for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
            const std::vector<std::uint64_t> sizes = catalog.tuned_sizes(problem, device, regime);
            if (sizes.empty()) continue;
            auto tuned = std::find_if(operators.begin(), operators.end(),
                                      [&](const TunedOperator& each) { return each.op == problem.op; });
            if (tuned == operators.end()) {
                tuned = operators.insert(operators.end(), {problem.op, {}, sizes.front(), sizes.back()});
            }
            add_options(tuned->options, fmt::format("{} --regime {}", report::as_options(problem), to_string(regime)));
            tuned->least = std::min(tuned->least, sizes.front());
            tuned->most = std::max(tuned->most, sizes.back());
        }
    }
    std::vector<std::string> lines;
    for (const TunedOperator& tuned : operators) lines.push_back(as_line(tuned));
    return lines;
}

}  // namespace redtune::cli
