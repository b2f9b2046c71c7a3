#include "compare/load_winner.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::compare {

namespace {

constexpr const char* remedy = "the kernels have changed since the winner was tuned: tune this size again";

}  // namespace

std::optional<launch::LoadedKernel> load_winner(launch::KernelLoader& loader, const Match& winner,
                                                std::string& failure) {
    try {
        return loader.load(winner);
    } catch (const InputError& error) {
        failure = fmt::format("{} ({})", error.what(), remedy);
    } catch (const CompileError& error) {
        failure = fmt::format("{} ({})", error.what(), remedy);
    }
    return std::nullopt;
}

}  // namespace redtune::compare
