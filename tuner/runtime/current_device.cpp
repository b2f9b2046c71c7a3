#include "tuner/runtime/current_device.h"

#include "tuner/gpu/device.h"

namespace redtune::runtime {

CurrentDevice::CurrentDevice() {
    const gpu::Driver& driver = gpu::Driver::get();
    gpu::check(driver.cuCtxGetCurrent(&context_), "ask for the current context");
    if (context_ == nullptr) {
        primary_.emplace(0);
        gpu::check(driver.cuCtxGetCurrent(&context_), "ask for the current context");
    }
    CUdevice device = 0;
    gpu::check(driver.cuCtxGetDevice(&device), "ask for the context's device");
    info_ = gpu::info_at(device);
    driver_version_ = gpu::driver_version();
}

bool CurrentDevice::is_current() const noexcept {
    CUcontext context = nullptr;
    return gpu::Driver::get().cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == context_;
}

}  // namespace redtune::runtime
