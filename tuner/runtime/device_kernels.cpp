#include "tuner/runtime/device_kernels.h"

#include "tuner/gpu/driver.h"

namespace redtune::runtime {

DeviceKernels::~DeviceKernels() {
    const gpu::Driver& driver = gpu::Driver::get();
    CUcontext before = nullptr;
    driver.cuCtxGetCurrent(&before);
    driver.cuCtxSetCurrent(device_.context());
    kernels_.reset();
    driver.cuCtxSetCurrent(before);
}

}  // namespace redtune::runtime
