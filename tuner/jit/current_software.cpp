#include "tuner/jit/current_software.h"

#include "tuner/gpu/device.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::jit {

Software current_software(std::span<const Family> families, bool is_device_here) {
    Software software;
    for (const Family& family : families) software.families.push_back({family.name, family.code_hash});
    if (!is_device_here) return software;
    software.driver_version = gpu::driver_version();
    if (const gpu::Nvrtc* nvrtc = gpu::Nvrtc::find()) software.nvrtc_version = nvrtc->version();
    return software;
}

}  // namespace redtune::jit
