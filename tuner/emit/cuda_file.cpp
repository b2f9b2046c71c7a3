#include "tuner/emit/cuda_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tuner/emit/opening_comment.h"
#include "tuner/emit/plan_text.h"

namespace redtune::emit {

namespace {

/// Returns the name of an element type in host code.
std::string host_type(Type type) {
    switch (type) {
        case Type::f16:
            return "__half";
        case Type::bf16:
            return "__nv_bfloat16";
        case Type::f32:
            return "float";
        case Type::f64:
            return "double";
        default:
            return fmt::format("{}int{}_t", to_string(type).starts_with('u') ? "u" : "", 8 * size_of(type));
    }
}

std::vector<std::string> host_headers(const Problem& problem) {
    std::vector<std::string> headers;
    const auto has = [&](Type type) { return problem.input == type || problem.output == type; };
    if (has(Type::f16)) headers.emplace_back("<cuda_fp16.h>");
    if (has(Type::bf16)) headers.emplace_back("<cuda_bf16.h>");
    return headers;
}

bool needs_limits(const Kernel& kernel) {
    constexpr std::uint32_t portable_cluster = 8;
    return kernel.shared_bytes != 0 || kernel.cluster > portable_cluster;
}

/// Returns the function that raises the limits of kernels; empty if no kernel needs it.
std::string allow_launches_text(const Emission& emission, Values values) {
    if (std::none_of(emission.kernels.begin(), emission.kernels.end(), needs_limits)) return {};
    constexpr std::uint32_t portable_cluster = 8;
    std::vector<std::string> limits;
    for (const Kernel& kernel : emission.kernels) {
        limits.push_back(fmt::format("{{{}, {}}}", kernel.shared_bytes, int{kernel.cluster > portable_cluster}));
    }
    values["limits"] = fmt::format("{}", fmt::join(limits, ", "));
    return fill_in("cuda_allow_launches", values);
}

std::string device_text(const Emission& emission) {
    std::string text = "#if defined(__CUDACC__)\n\n";
    if (!emission.system_includes.empty()) {
        for (const std::string& header : emission.system_includes) text += fmt::format("#include {}\n", header);
        text += "\n";
    }
    const int needed = emission.minimum_compute_capability;
    text += fmt::format("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < {}\n", needed * 10);
    text +=
        fmt::format("#error \"These kernels need compute capability {}.{}: compile for sm_{} or newer.\"\n#endif\n\n",
                    needed / 10, needed % 10, needed);
    text += fmt::format("namespace {} {{\n\n{}\n", emission.request.name, emission.device_code);
    text += "/// The reduction: operator, and types of the elements, of partial results and of the result.\n";
    text += fmt::format("using Reduction = {};\n\n}}  // namespace {}\n\n#endif  // __CUDACC__\n\n", emission.reduction,
                        emission.request.name);
    return text;
}

std::string host_text(const Emission& emission) {
    const Problem& problem = emission.request.problem;
    const bool has_two = problem.arrays == 2;
    const std::string input = fmt::format("{}{}*", emission.destructive ? "" : "const ", host_type(problem.input));
    Values values = common_values(emission, "", "///");
    values["fn"] = "inline";
    values["table"] = "inline constexpr";
    values["plan"] = plan_text(emission, values);
    std::string kernels;
    for (std::size_t i = 0; i < emission.kernels.size(); ++i) {
        kernels += fmt::format("        case {}:\n            return reinterpret_cast<const void*>(&{});\n", i,
                               emission.kernels[i].name.expression);
    }
    values["kernels"] = kernels;
    values["allow_launches"] = allow_launches_text(emission, values);
    values["call_allow_launches"] = values["allow_launches"].empty()
                                        ? ""
                                        : "    const cudaError_t error = allow_launches(step.kernel, kernel);\n"
                                          "    if (error != cudaSuccess) return error;\n";
    values["parameters"] =
        fmt::format("{}, uint64_t n, {}* output", has_two ? fmt::format("{0} x, {0} y", input) : input + " input",
                    host_type(problem.output));
    values["first"] = has_two ? "x" : "input";
    values["second"] = has_two ? "reinterpret_cast<uintptr_t>(y)" : "0";
    std::string text =
        "#if !defined(__CUDACC_RTC__)\n\n#include <stdint.h>\n\n#if defined(__CUDACC__)\n#include <atomic>\n";
    for (const std::string& header : host_headers(problem)) text += fmt::format("#include {}\n", header);
    text += "#include <cuda_runtime.h>\n#endif\n\n";
    return text + fmt::format("namespace {} {{\n\n{}\n}}  // namespace {}\n\n#endif  // __CUDACC_RTC__\n\n",
                              emission.request.name, fill_in("cuda_host", values), emission.request.name);
}

std::vector<std::string> how_to_call_cuda(const Emission& emission) {
    const std::string& name = emission.request.name;
    const char* inputs = emission.request.problem.arrays == 2 ? "x, y" : "input";
    return {fmt::format("namespace reduction = {};", name),
            "cudaMalloc(&workspace, reduction::workspace_bytes(n));  // or reduction::largest_workspace_bytes",
            "cudaMemset(workspace, 0, reduction::zeroed_bytes);      // once",
            fmt::format("cudaError_t error = reduction::reduce({}, n, output, workspace, stream);", inputs),
            "",
            fmt::format("Compile it with nvcc -std=c++17 -arch={}; the oldest architecture is sm_{}. NVRTC needs",
                        emission.device.architecture(), emission.minimum_compute_capability),
            "-default-device and sees the kernels only, without the functions that launch them; kernel_at() has their",
            "names, and reduction:: goes before each redtune:: and before Reduction."};
}

}  // namespace

CudaFile cuda_file(const Emission& emission) {
    const std::string guard = emission.request.name + "_CUH";
    return {
        opening_comment(emission, how_to_call_cuda(emission)) + fmt::format("\n#ifndef {0}\n#define {0}\n\n", guard),
        device_text(emission), host_text(emission), fmt::format("#endif  // {}\n", guard)};
}

std::vector<std::string> name_expressions(const Emission& emission) {
    std::vector<std::string> names;
    const std::string& name = emission.request.name;
    for (const Kernel& kernel : emission.kernels) {
        const std::string qualified = replace_all(kernel.name.expression, "redtune::", name + "::redtune::");
        names.push_back(replace_all(qualified, "<Reduction", fmt::format("<{}::Reduction", name)));
    }
    return names;
}

}  // namespace redtune::emit
