#include "tuner/cli/warm_cache.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tuner/cli/messages.h"

namespace redtune::cli {

namespace {

/// Prints on stderr how many kernels are to be compiled, and then how many are done, at each tenth of many.
class CompileProgress {
  public:
    explicit CompileProgress(std::string architecture) : architecture_(std::move(architecture)) {}

    void show(const jit::CompileCounts& counts) {
        const std::size_t missing = counts.wanted - counts.from_cache;
        const std::size_t compiled = counts.done - counts.from_cache;
        if (missing == 0) return;
        if (compiled == 0) note("Compiling {} kernels for {}.\n", missing, architecture_);
        constexpr std::size_t many = 100;
        const std::size_t tenth = compiled * 10 / missing;
        if (missing >= many && tenth > shown_tenth_) note("{} of {} are done.\n", compiled, missing);
        shown_tenth_ = tenth;
    }

  private:
    std::string architecture_;
    std::size_t shown_tenth_ = 0;
};

/// Throws if kernels were compiled and not kept.
void require_kept(const WarmOutcome& outcome, const jit::CubinCache& cache) {
    if (outcome.counts.wanted == outcome.counts.from_cache || cache.is_writable()) return;
    throw Error(fmt::format("the compiled kernels cannot be kept in {}: give a folder that you can write with --folder",
                            cache.folder().string()));
}

}  // namespace

WarmOutcome warm_cache(const std::set<jit::KernelName>& names, const jit::SourceSet& sources, jit::CubinCache& cache,
                       const std::string& architecture, const std::atomic<bool>& stop) {
    WarmOutcome outcome;
    const std::vector<jit::KernelName> list(names.begin(), names.end());
    CompileProgress progress(architecture);
    const auto show = [&](const jit::CompileCounts& counts) {
        progress.show(counts);
        outcome.counts = counts;
    };
    jit::Compiler compiler(sources, cache, architecture, {.accepted = jit::Accepted::of_any_nvrtc});
    const std::vector<jit::CompiledKernel> kernels = compiler.compile(list, show, &stop);
    std::set<const std::string*> cubins;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (kernels[i].cubin != nullptr && cubins.insert(kernels[i].cubin.get()).second) {
            outcome.cubin_bytes += kernels[i].cubin->size();
        }
        if (stop || kernels[i].error.empty()) continue;
        fmt::print(stderr, "{} does not compile for {}:\n{}\n", list[i].expression, architecture, kernels[i].error);
    }
    require_kept(outcome, cache);
    return outcome;
}

}  // namespace redtune::cli
