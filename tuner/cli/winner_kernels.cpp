#include "tuner/cli/winner_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "redtune/error.h"
#include "tuner/core/finish.h"
#include "tuner/core/launch_rule.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::cli {

namespace {

constexpr std::array regimes = {Regime::cold, Regime::warm, Regime::back_to_back};
// A look-up between two tuned sizes can take the winner of either, and of two tuned sizes that differ by one element
// the larger one. So at most two sizes on each side matter.
constexpr std::ptrdiff_t neighbours = 2;

/// Returns the tuned sizes whose winners look-ups of `sizes`, and of the sizes between them, can return.
std::vector<std::uint64_t> relevant_sizes(std::vector<std::uint64_t> tuned, std::span<const std::uint64_t> sizes) {
    if (sizes.empty() || tuned.empty()) return tuned;
    const auto [least, most] = std::ranges::minmax(sizes);
    const auto begin = std::ranges::lower_bound(tuned, least);
    const auto end = std::ranges::upper_bound(tuned, most);
    const auto first = begin - std::min(neighbours, begin - tuned.begin());
    const auto last = end + std::min(neighbours, tuned.end() - end);
    return {first, last};
}

bool can_run(const Family& family, const Match& match, const Problem& problem, int compute_capability) {
    if (compute_capability < family.minimum_compute_capability) return false;
    if (compute_capability < minimum_compute_capability(*match.rule)) return false;
    const auto finish = std::ranges::find(match.parameters, finish_parameter, &Parameter::name);
    return finish == match.parameters.end() ||
           is_supported(parse_finish(to_string(finish->value)), problem, compute_capability);
}

}  // namespace

void add_winner_kernels(const Catalog& catalog, std::span<const Family> families, const Problem& problem,
                        std::string_view device, std::span<const std::uint64_t> sizes, int compute_capability,
                        WinnerKernels& found) {
    for (const Regime regime : regimes) {
        std::vector<std::uint64_t> asked = relevant_sizes(catalog.tuned_sizes(problem, device, regime), sizes);
        for (const std::uint64_t n : sizes) {
            if (problem.row_length == 0 || n % problem.row_length == 0) asked.push_back(n);
        }
        for (const std::uint64_t n : asked) {
            const auto match = catalog.find(problem, n, device, regime);
            if (!match) continue;
            try {
                const Family& family = jit::find_family(families, match->family);
                if (!can_run(family, *match, problem, compute_capability)) continue;
                for (const KernelRole role : roles_of(*match->rule)) {
                    found.names.insert(launch::kernel_name(family, problem, launch::KernelRequest(*match), role));
                }
            } catch (const InputError& error) {
                found.unusable.insert(error.what());
            }
        }
    }
}

}  // namespace redtune::cli
