#include "tuner/runtime/kernel_source.h"

#include <utility>

#include "tuner/jit/operator_file.h"

namespace redtune::runtime {

namespace {

jit::SourceSet sources_for(const ReducerOptions& options) {
    jit::SourceSet sources = jit::SourceSet::load();
    if (auto own = jit::read_given_operator(options.operator_file, options.operator_source)) {
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
