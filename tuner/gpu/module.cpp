#include "tuner/gpu/module.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::gpu {

namespace {

std::uint32_t attribute(CUfunction function, CUfunction_attribute which) {
    int value = 0;
    check(Driver::get().cuFuncGetAttribute(&value, which, function), "ask for a kernel's resources");
    return static_cast<std::uint32_t>(value);
}

}  // namespace

Module::Module(std::string_view cubin) {
    // The driver interprets anything but an ELF file as PTX text, and reads it up to a terminating zero, which may be
    // missing.
    if (!cubin.starts_with("\x7f"
                           "ELF")) {
        throw DeviceError(fmt::format("cannot load a kernel: its {} bytes are not a cubin", cubin.size()));
    }
    check(Driver::get().cuModuleLoadData(&module_, cubin.data()), "load a cubin");
}

Module::~Module() {
    Driver::get().cuModuleUnload(module_);
}

CUfunction Module::function(const std::string& lowered_name) const {
    CUfunction function = nullptr;
    check(Driver::get().cuModuleGetFunction(&function, module_, lowered_name.c_str()),
          fmt::format("find kernel {} in its cubin", lowered_name).c_str());
    // With lazy loading the driver loads a kernel at the first query of its attributes.
    attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    return function;
}

void Module::allow_launches(CUfunction function, std::uint32_t shared_bytes, std::uint32_t cluster) {
    constexpr std::uint32_t portable_cluster = 8;
    const auto set = [&](CUfunction_attribute which, std::uint32_t value) {
        return Driver::get().cuFuncSetAttribute(function, which, static_cast<int>(value));
    };
    if (shared_bytes > 0) {
        check(set(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_bytes),
              fmt::format("allow a kernel {} bytes of dynamic shared memory", shared_bytes).c_str());
    }
    if (cluster > portable_cluster) {
        check(set(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
              fmt::format("allow a kernel clusters of {} blocks", cluster).c_str());
    }
}

}  // namespace redtune::gpu
