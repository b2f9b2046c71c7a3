#include "tuner/runtime/kernel_source.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "redtune/error.h"
#include "tuner/jit/operator_file.h"

namespace redtune::runtime {

namespace {

std::optional<jit::OperatorFile> read_operator(const ReducerOptions& options) {
    if (!options.operator_file.empty() && !options.operator_source.empty()) {
        throw InputError(
            fmt::format("the operator is given twice, as the file {} and as the text operator_source; give one of them",
                        options.operator_file));
    }
    if (!options.operator_file.empty()) return jit::read_operator_file(options.operator_file);
    if (!options.operator_source.empty()) return jit::read_operator_text(options.operator_source);
    return std::nullopt;
}

jit::SourceSet sources_for(const ReducerOptions& options) {
    jit::SourceSet sources = jit::SourceSet::load();
    if (std::optional<jit::OperatorFile> own = read_operator(options)) {
        sources.add_operator(own->path, std::move(own->text));
    }
    return sources;
}

}  // namespace

KernelSource::KernelSource(const Problem& problem, const DeviceInfo& device, const ReducerOptions& options)
    : sources_(sources_for(options)),
      families_(sources_.families()),
      cache_(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes(),
             jit::CubinCache::default_system_folder()),
      compiler_(sources_, cache_, device.architecture(), {.accepted = jit::Accepted::of_any_nvrtc}),
      loader_(compiler_, families_, problem) {}

}  // namespace redtune::runtime
