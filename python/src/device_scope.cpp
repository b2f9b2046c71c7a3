#include "python/src/device_scope.h"

#include <cstddef>
#include <vector>

namespace redtune::python {

namespace {

/// Returns the device's primary context. It stays retained until the program ends, as with the CUDA runtime. Called
/// with the GIL, which guards the list.
CUcontext primary_context(int device) {
    static std::vector<CUcontext> contexts;
    const auto index = static_cast<std::size_t>(device);
    if (index < contexts.size() && contexts[index] != nullptr) return contexts[index];
    const gpu::Driver& driver = gpu::Driver::get();
    CUdevice found = 0;
    gpu::check(driver.cuDeviceGet(&found, device), "find the array's device");
    CUcontext context = nullptr;
    gpu::check(driver.cuDevicePrimaryCtxRetain(&context, found), "retain the device's primary context");
    if (index >= contexts.size()) contexts.resize(index + 1);
    contexts[index] = context;
    return context;
}

}  // namespace

DeviceScope::DeviceScope(int device) {
    const gpu::Driver& driver = gpu::Driver::get();
    CUcontext current = nullptr;
    gpu::check(driver.cuCtxGetCurrent(&current), "ask for the current context");
    context_ = device < 0 && current != nullptr ? current : primary_context(device < 0 ? 0 : device);
    if (context_ == current) return;
    gpu::check(driver.cuCtxSetCurrent(context_), "make the device's primary context current");
    previous_ = current;
}

DeviceScope::~DeviceScope() {
    if (previous_ != nullptr) static_cast<void>(gpu::Driver::get().cuCtxSetCurrent(previous_));
}

}  // namespace redtune::python
