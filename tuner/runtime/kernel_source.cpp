#include "tuner/runtime/kernel_source.h"

#include <utility>

#include "tuner/jit/operator_file.h"

namespace redtune::runtime {

namespace {

jit::SourceSet sources_with(const std::string& operator_file) {
    jit::SourceSet sources = jit::SourceSet::load();
    if (!operator_file.empty()) {
        jit::OperatorFile file = jit::read_operator_file(operator_file);
        sources.add_operator(file.path, std::move(file.text));
    }
    return sources;
}

}  // namespace

KernelSource::KernelSource(const Problem& problem, const DeviceInfo& device, const std::string& operator_file)
    : sources_(sources_with(operator_file)),
      families_(sources_.families()),
      cache_(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes(),
             jit::CubinCache::default_system_folder()),
      compiler_(sources_, cache_, device.architecture(), {.accepted = jit::Accepted::of_any_nvrtc}),
      loader_(compiler_, families_, problem) {}

}  // namespace redtune::runtime
