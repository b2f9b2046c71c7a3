#include "tuner/gpu/context.h"

#include <fmt/format.h>

namespace redtune::gpu {

Context::Context(int ordinal) {
    const Driver& driver = Driver::get();
    const std::string device = fmt::format("device {}", ordinal);
    check(driver.cuDeviceGet(&device_, ordinal), ("find " + device).c_str());
    check(driver.cuDevicePrimaryCtxRetain(&context_, device_), ("open a context on " + device).c_str());
    if (const CUresult result = driver.cuCtxSetCurrent(context_); result != CUDA_SUCCESS) {
        driver.cuDevicePrimaryCtxRelease(device_);
        check(result, "make the device's context current");
    }
}

Context::~Context() {
    Driver::get().cuDevicePrimaryCtxRelease(device_);
}

void Context::make_current() const {
    check(Driver::get().cuCtxSetCurrent(context_), "make the device's context current");
}

void Context::synchronize() const {
    check(Driver::get().cuCtxSynchronize(), "finish the work queued on the device");
}

CurrentContext::CurrentContext() {
    check(Driver::get().cuCtxGetCurrent(&context_), "get the current context");
}

void CurrentContext::make_current() const {
    check(Driver::get().cuCtxSetCurrent(context_), "make a context current");
}

}  // namespace redtune::gpu
