#include "tuner/jit/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "redtune/error.h"
#include "tuner/core/hash.h"
#include "tuner/core/parallel.h"
#include "tuner/gpu/device.h"
#include "tuner/jit/resource_log.h"

namespace redtune::jit {

namespace {

// The kernels of one program share the parsing of the sources, which takes much less time than to generate the code of
// one kernel. So larger programs would gain nothing and leave cores idle at the end.
constexpr std::size_t most_kernels_per_program = 4;

/// Returns the folders of a cache, for a message.
std::string folders_of(const CubinCache& cache) {
    std::string folders = cache.folder().string();
    if (!cache.system_folder().empty()) folders += ", " + cache.system_folder().string();
    return folders;
}

}  // namespace

/// The kernels that one NVRTC program compiles, and the result of compiling them.
struct Compiler::Unit {
    Includes includes;
    std::vector<std::size_t> members;  // indices into the names that compile() was given
    std::vector<std::string> expressions;
    gpu::CompiledProgram program;
    std::string error;
};

Compiler::Compiler(const SourceSet& sources, CubinCache& cache, std::string architecture, CompilerOptions options)
    : sources_(sources),
      cache_(cache),
      architecture_(std::move(architecture)),
      options_(options),
      compile_options_{"--std=c++17", "--ptxas-options=-v", "-default-device"},
      store_(cache) {
    if (options_.threads == 0) options_.threads = one_thread_per_core();
}

KernelKey Compiler::key_of(const KernelName& name) {
    std::string& code = code_[{name.included_first, name.source}];
    if (code.empty()) {
        std::string hashes = sources_.code_hash(name.source);
        for (const std::string& path : sources_.operator_paths()) hashes += sources_.code_hash(path);
        if (!name.included_first.empty()) hashes += sources_.code_hash(name.included_first);
        code = content_hash(hashes);
    }
    return {architecture_, name.source, name.expression, code, fmt::format("{}", fmt::join(compile_options_, " "))};
}

AcceptNvrtc Compiler::accept_nvrtc() const {
    if (options_.accepted == Accepted::of_any_nvrtc) {
        const int driver_cuda = gpu::driver_cuda_version();
        return [driver_cuda](const std::string& nvrtc) { return gpu::is_loadable(nvrtc, driver_cuda); };
    }
    const gpu::Nvrtc* nvrtc = options_.find_nvrtc();
    if (nvrtc == nullptr) throw DeviceError(why_not_compilable());
    return [&identity = nvrtc->build_identity()](const std::string& made_by) { return made_by == identity; };
}

std::string Compiler::why_not_compilable() const {
    const gpu::Nvrtc* nvrtc = options_.find_nvrtc();
    if (nvrtc == nullptr) return gpu::Nvrtc::missing_message();
    const std::vector<std::string> known = nvrtc->supported_architectures();
    if (std::ranges::find(known, architecture_) != known.end()) return {};
    return fmt::format(
        "NVRTC {} makes no code for {}; it knows {}. Install an NVRTC that does: pip install "
        "nvidia-cuda-nvrtc for newer GPUs, nvidia-cuda-nvrtc-cu12 for older ones",
        nvrtc->version(), architecture_, fmt::join(known, ", "));
}

std::vector<std::size_t> Compiler::find_all(const std::vector<KernelName>& names,
                                            std::vector<CompiledKernel>& kernels) {
    const AcceptNvrtc accepts = accept_nvrtc();
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (auto found = store_.find(key_of(names[i]), accepts)) {
            kernels[i] = std::move(*found);
        } else {
            kernels[i].error = "stopped";  // stays if the kernel is never compiled
            missing.push_back(i);
        }
    }
    return missing;
}

void Compiler::find_compatible(const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels,
                               std::vector<std::size_t>& missing) {
    const AcceptNvrtc accepts = accept_nvrtc();
    for (const std::string& architecture : compatible_architectures(architecture_)) {
        std::erase_if(missing, [&](std::size_t i) {
            KernelKey key = key_of(names[i]);
            key.architecture = architecture;
            auto found = store_.find(key, accepts);
            if (found) kernels[i] = std::move(*found);
            return found.has_value();
        });
    }
}

void Compiler::require_nvrtc(const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels,
                             std::vector<std::size_t>& missing) {
    const std::string problem = why_not_compilable();
    if (problem.empty()) return;
    if (options_.accepted == Accepted::of_any_nvrtc) find_compatible(names, kernels, missing);
    if (missing.empty()) return;
    throw DeviceError(fmt::format(
        "{} of {} kernels for {} are in no kernel cache ({}), and {}. Or fill a cache on a machine that has "
        "NVRTC: redtune warm --arch {}",
        missing.size(), names.size(), architecture_, folders_of(cache_), problem, architecture_));
}

std::vector<Compiler::Unit> Compiler::make_units(const std::vector<KernelName>& names,
                                                 const std::vector<std::size_t>& missing) const {
    std::map<Includes, std::vector<std::size_t>> by_includes;
    for (const std::size_t i : missing) by_includes[{names[i].included_first, names[i].source}].push_back(i);
    const std::size_t per_program =
        std::clamp<std::size_t>(missing.size() / options_.threads, 1, most_kernels_per_program);
    std::vector<Unit> units;
    for (const auto& [includes, members] : by_includes) {
        for (std::size_t begin = 0; begin < members.size(); begin += per_program) {
            Unit& unit = units.emplace_back();
            unit.includes = includes;
            for (std::size_t i = begin; i < std::min(begin + per_program, members.size()); ++i) {
                unit.members.push_back(members[i]);
                unit.expressions.push_back(names[members[i]].expression);
            }
        }
    }
    return units;
}

std::vector<Compiler::Unit> Compiler::compile_unit(Unit unit) const {
    std::string text;
    for (const std::string& path : sources_.operator_paths()) text += fmt::format("#include \"{}\"\n", path);
    for (const std::string& path : {unit.includes.first, unit.includes.second}) {
        if (!path.empty()) text += fmt::format("#include \"{}\"\n", path);
    }
    std::vector<std::string> options = compile_options_;
    options.push_back("--gpu-architecture=" + architecture_);
    try {
        unit.program = options_.find_nvrtc()->compile(text, "redtune.cu", headers_, options, unit.expressions);
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
        parts.push_back(compile_unit({unit.includes, {unit.members[i]}, {unit.expressions[i]}, {}, {}}).front());
    }
    return parts;
}

void Compiler::keep(const Unit& unit, const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels) {
    const auto cubin = std::make_shared<const std::string>(unit.program.cubin);
    const auto resources = parse_resource_log(unit.program.log);
    std::vector<KernelKey> keys;
    std::vector<CompiledKernel> made;
    for (std::size_t i = 0; i < unit.members.size(); ++i) {
        CompiledKernel& kernel = kernels[unit.members[i]];
        kernel.cubin = cubin;
        kernel.symbol = unit.program.lowered_names[i];
        kernel.architecture = architecture_;
        kernel.nvrtc = options_.find_nvrtc()->build_identity();
        if (const auto found = resources.find(kernel.symbol); found != resources.end()) {
            kernel.resources = found->second;
        }
        keys.push_back(key_of(names[unit.members[i]]));
        made.push_back(kernel);
    }
    store_.put(keys, made);
}

std::vector<CompiledKernel> Compiler::compile(const std::vector<KernelName>& names,
                                              const std::function<void(const CompileCounts&)>& progress,
                                              const std::atomic<bool>* stop) {
    std::vector<CompiledKernel> kernels(names.size());
    if (names.empty()) return kernels;
    std::vector<std::size_t> missing = find_all(names, kernels);
    if (!missing.empty()) require_nvrtc(names, kernels, missing);
    const std::size_t cached_count = names.size() - missing.size();
    CompileCounts counts{names.size(), cached_count, cached_count, 0};
    if (progress) progress(counts);
    if (missing.empty()) return kernels;

    if (headers_.empty()) headers_ = sources_.headers();
    const auto compile_unless_stopped = [&](Unit& unit) {
        return stop != nullptr && *stop ? std::vector<Unit>() : compile_unit(std::move(unit));
    };
    const auto receive = [&](const std::vector<Unit>& parts) {
        for (const Unit& part : parts) {
            for (const std::size_t member : part.members) kernels[member].error = part.error;
            if (part.error.empty()) keep(part, names, kernels);
            counts.failed += part.error.empty() ? 0 : part.members.size();
            counts.done += part.members.size();
        }
        if (progress) progress(counts);
    };
    for_each_in_parallel(make_units(names, missing), options_.threads, compile_unless_stopped, receive);
    return kernels;
}

}  // namespace redtune::jit
