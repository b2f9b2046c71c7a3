#include "tuner/cli/compile_families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "db/space.h"
#include "tuner/cli/architecture.h"
#include "tuner/cli/command.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/why_no_candidates.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::cli {

namespace {

/// A kernel to compile, with its name for messages.
struct NamedKernel {
    jit::KernelName name;
    /// Text of the family and its compile parameters: "tile_per_block(block=512, unroll=4)".
    std::string configuration;
};

std::string compile_parameters(const Family& family, const Candidate& candidate) {
    std::vector<std::string> parts;
    for (const ParameterValues& parameter : family.parameters) {
        if (!parameter.compile) continue;
        parts.push_back(parameter.name + "=" + to_string(*candidate.configuration.find(parameter.name)));
    }
    return fmt::format("{}({})", family.name, fmt::join(parts, ", "));
}

/// Returns the distinct kernels of all candidates, in the order of the candidates. Prints on stderr which families have
/// no candidate, and why.
std::vector<NamedKernel> kernels_of(const std::vector<Family>& families, const DeviceInfo& device,
                                    const Problem& problem, std::uint64_t n) {
    std::vector<NamedKernel> kernels;
    std::map<jit::KernelName, bool> seen;
    for (const Family& family : families) {
        const std::vector<Candidate> candidates = db::candidates(family, device, problem, n);
        if (candidates.empty()) {
            fmt::print(stderr, "{} has no candidates: {}.\n", family.name,
                       why_no_candidates(family, device, problem, n));
        }
        for (const Candidate& candidate : candidates) {
            jit::KernelName name = launch::kernel_name(
                family, problem, launch::KernelRequest(candidate.configuration, candidate.rule), KernelRole::first);
            if (seen.emplace(name, true).second) kernels.push_back({name, compile_parameters(family, candidate)});
        }
    }
    return kernels;
}

}  // namespace

DeviceInfo with_architecture(DeviceInfo device, const std::string& architecture) {
    if (architecture.empty()) return device;
    const int compute_capability = parse_architecture(architecture);
    device.compute_major = compute_capability / 10;
    device.compute_minor = compute_capability % 10;
    return device;
}

int compile_families(const std::vector<Family>& families, const jit::SourceSet& sources, const DeviceInfo& device,
                     const Problem& problem, std::uint64_t n, Format format) {
    const std::vector<NamedKernel> kernels = kernels_of(families, device, problem, n);
    if (kernels.empty()) return nothing_found;
    std::vector<jit::KernelName> names;
    for (const NamedKernel& kernel : kernels) names.push_back(kernel.name);
    KernelCache cache;
    note("Compiling {} kernels for {}.\n", names.size(), device.architecture());
    const std::vector<jit::CompiledKernel> compiled =
        jit::Compiler(sources, cache, device.architecture()).compile(names);

    Table table({{"kernel"}, {"status"}, {"registers"}, {"spill_bytes"}, {"shared_bytes"}});
    std::size_t failures = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const jit::CompiledKernel& kernel = compiled[i];
        if (kernel.error.empty()) {
            table.add({kernels[i].configuration, "ok", std::int64_t{kernel.resources.registers},
                       std::int64_t{kernel.resources.spill_bytes}, std::int64_t{kernel.resources.shared_bytes}});
            continue;
        }
        table.add({kernels[i].configuration, "failed", {}, {}, {}});
        fmt::print(stderr, "{} does not compile:\n{}\n", kernels[i].configuration, kernel.error);
        ++failures;
    }
    table.print(std::cout, format);
    note("{} of {} kernels compiled for {}.\n", kernels.size() - failures, kernels.size(), device.architecture());
    return failures == 0 ? done : failed_candidates;
}

}  // namespace redtune::cli
