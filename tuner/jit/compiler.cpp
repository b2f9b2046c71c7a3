#include "tuner/jit/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "redtune/error.h"
#include "tuner/core/hash.h"
#include "tuner/jit/parallel.h"
#include "tuner/jit/resource_log.h"

namespace redtune::jit {

namespace {

// The kernels of one program share the parsing of the sources. Above this number code generation dominates, so larger
// programs would gain little and leave cores idle at the end.
constexpr std::size_t most_kernels_per_program = 12;

}  // namespace

/// The kernels that one NVRTC program compiles, and the result of compiling them.
struct Compiler::Unit {
    std::string source;
    std::vector<std::size_t> members;  // indices into the names that compile() was given
    std::vector<std::string> expressions;
    gpu::CompiledProgram program;
    std::string error;
};

Compiler::Compiler(const SourceSet& sources, CubinCache& cache, std::string architecture, unsigned threads)
    : sources_(sources),
      cache_(cache),
      threads_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())),
      options_{"--gpu-architecture=" + architecture, "--std=c++17", "--ptxas-options=-v", "-default-device"},
      headers_(sources.headers()) {
    const gpu::Nvrtc& nvrtc = gpu::Nvrtc::get();
    const std::vector<std::string> known = nvrtc.supported_architectures();
    if (std::find(known.begin(), known.end(), architecture) == known.end()) {
        throw DeviceError(
            fmt::format("NVRTC {} makes no code for {}; it knows {}. Install an NVRTC that does: pip install "
                        "nvidia-cuda-nvrtc for newer GPUs, nvidia-cuda-nvrtc-cu12 for older ones",
                        nvrtc.version(), architecture, fmt::join(known, ", ")));
    }
    std::string text = nvrtc.build_identity();
    for (const std::string& option : options_) text += "\n" + option;
    for (const gpu::Header& header : headers_) text += "\n" + header.name + "\n" + header.text;
    identity_ = content_hash(text);
}

std::string Compiler::cache_key(const KernelName& name) const {
    return fmt::format("kernel\n{}\n{}\n{}", identity_, name.source, name.expression);
}

/// Reads a kernel from the cache; returns false if it is not there. The kernel's entry holds its symbol, its resources
/// and the key of its cubin. The cubin is an entry of its own, because all kernels of a program share it.
bool Compiler::load_cached(const KernelName& name, CompiledKernel& kernel) {
    const std::optional<std::string> entry = cache_.get(cache_key(name));
    if (!entry) return false;
    const auto json = nlohmann::json::parse(*entry, nullptr, false);
    if (!json.is_object()) return false;
    const std::string image_key = json.value("cubin", "");
    auto image = images_.find(image_key);
    if (image == images_.end()) {
        std::optional<std::string> cubin = cache_.get(image_key);
        if (!cubin) return false;
        image = images_.emplace(image_key, std::make_shared<const std::string>(std::move(*cubin))).first;
    }
    kernel.cubin = image->second;
    kernel.symbol = json.value("symbol", "");
    kernel.resources = {json.value("registers", 0U), json.value("shared_bytes", 0U), json.value("spill_bytes", 0U)};
    return !kernel.symbol.empty();
}

std::vector<Compiler::Unit> Compiler::compile_unit(Unit unit) const {
    std::string text;
    for (const std::string& path : sources_.operator_paths()) text += fmt::format("#include \"{}\"\n", path);
    text += fmt::format("#include \"{}\"\n", unit.source);
    try {
        unit.program = gpu::Nvrtc::get().compile(text, "redtune.cu", headers_, options_, unit.expressions);
    } catch (const gpu::NvrtcError& error) {
        unit.error = error.log().empty() ? error.what() : error.log();
    }
    std::vector<Unit> parts;
    if (unit.error.empty() || unit.members.size() == 1) {
        parts.push_back(std::move(unit));
        return parts;
    }
    // Compiles each kernel alone, so that a kernel that does not compile does not fail the others.
    for (std::size_t i = 0; i < unit.members.size(); ++i) {
        parts.push_back(compile_unit({unit.source, {unit.members[i]}, {unit.expressions[i]}, {}, {}}).front());
    }
    return parts;
}

void Compiler::store(const Unit& unit, const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels) {
    const std::string image_key = "cubin\n" + content_hash(unit.program.cubin);
    const auto image = std::make_shared<const std::string>(unit.program.cubin);
    images_[image_key] = image;
    cache_.put(image_key, *image);
    const auto resources = parse_resource_log(unit.program.log);
    for (std::size_t i = 0; i < unit.members.size(); ++i) {
        CompiledKernel& kernel = kernels[unit.members[i]];
        kernel.cubin = image;
        kernel.symbol = unit.program.lowered_names[i];
        if (const auto found = resources.find(kernel.symbol); found != resources.end())
            kernel.resources = found->second;
        const nlohmann::json entry = {{"cubin", image_key},
                                      {"symbol", kernel.symbol},
                                      {"registers", kernel.resources.registers},
                                      {"shared_bytes", kernel.resources.shared_bytes},
                                      {"spill_bytes", kernel.resources.spill_bytes}};
        cache_.put(cache_key(names[unit.members[i]]), entry.dump());
    }
}

Compiler::IndicesBySource Compiler::load_all_cached(const std::vector<KernelName>& names,
                                                    std::vector<CompiledKernel>& kernels) {
    IndicesBySource missing;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (load_cached(names[i], kernels[i])) continue;
        kernels[i].error = "stopped";  // stays if the kernel is never compiled
        missing[names[i].source].push_back(i);
    }
    return missing;
}

std::vector<Compiler::Unit> Compiler::make_units(const std::vector<KernelName>& names, const IndicesBySource& missing,
                                                 std::size_t missing_count) const {
    const std::size_t per_program = std::clamp<std::size_t>(missing_count / threads_, 1, most_kernels_per_program);
    std::vector<Unit> units;
    for (const auto& [source, members] : missing) {
        for (std::size_t begin = 0; begin < members.size(); begin += per_program) {
            Unit& unit = units.emplace_back();
            unit.source = source;
            for (std::size_t i = begin; i < std::min(begin + per_program, members.size()); ++i) {
                unit.members.push_back(members[i]);
                unit.expressions.push_back(names[members[i]].expression);
            }
        }
    }
    return units;
}

std::vector<CompiledKernel> Compiler::compile(const std::vector<KernelName>& names,
                                              const std::function<void(const CompileCounts&)>& progress,
                                              const std::atomic<bool>* stop) {
    std::vector<CompiledKernel> kernels(names.size());
    const IndicesBySource missing = load_all_cached(names, kernels);
    std::size_t missing_count = 0;
    for (const auto& [source, members] : missing) missing_count += members.size();
    const std::size_t cached_count = names.size() - missing_count;
    CompileCounts counts{names.size(), cached_count, cached_count, 0};
    if (progress) progress(counts);

    const auto compile_unless_stopped = [&](Unit& unit) {
        return stop != nullptr && *stop ? std::vector<Unit>() : compile_unit(std::move(unit));
    };
    const auto receive = [&](const std::vector<Unit>& parts) {
        for (const Unit& part : parts) {
            for (const std::size_t member : part.members) kernels[member].error = part.error;
            if (part.error.empty()) store(part, names, kernels);
            counts.failed += part.error.empty() ? 0 : part.members.size();
            counts.done += part.members.size();
        }
        if (progress) progress(counts);
    };
    for_each_in_parallel(make_units(names, missing, missing_count), threads_, compile_unless_stopped, receive);
    return kernels;
}

}  // namespace redtune::jit
