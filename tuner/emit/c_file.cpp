#include "tuner/emit/c_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tuner/emit/opening_comment.h"
#include "tuner/emit/plan_text.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::emit {

namespace {

/// Returns bytes as an array of unsigned char.
std::string as_array(const std::string& declaration, const std::string& bytes) {
    constexpr std::size_t bytes_per_line = 28;
    std::string text = fmt::format("static {}[{}] = {{\n", declaration, bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % bytes_per_line == 0) text += i == 0 ? "    " : "\n    ";
        text += fmt::format("{},", static_cast<unsigned char>(bytes[i]));
    }
    return text + "};\n\n";
}

std::string kernel_lines(const Emission& emission, const MachineCode& code) {
    constexpr std::uint32_t portable_cluster = 8;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < emission.kernels.size(); ++i) {
        const Kernel& kernel = emission.kernels[i];
        lines.push_back(fmt::format("/* {} */", kernel.name.expression));
        lines.push_back(fmt::format("{{{}, \"{}\", {}, {}}},", code.cubin_of_kernel[i], code.symbol_of_kernel[i],
                                    kernel.shared_bytes, int{kernel.cluster > portable_cluster}));
    }
    return as_lines(lines, "    ");
}

Values c_values(const Emission& emission, const MachineCode& code) {
    const bool has_two = emission.request.problem.arrays == 2;
    Values values = common_values(emission, emission.request.name + "_", "  ");
    values["fn"] = "static";
    values["table"] = "static const";
    values["plan"] = plan_text(emission, values);
    values["architecture"] = emission.device.architecture();
    values["compute_major"] = fmt::format("{}", emission.device.compute_major);
    values["compute_minor"] = fmt::format("{}", emission.device.compute_minor);
    values["module_count"] = fmt::format("{}", code.cubins.size());
    values["kernels"] = kernel_lines(emission, code);
    values["parameters"] = fmt::format("{}, uint64_t n, CUdeviceptr output",
                                       has_two ? "CUdeviceptr x, CUdeviceptr y" : "CUdeviceptr input");
    values["first"] = has_two ? "x" : "input";
    values["second"] = has_two ? "y" : "0";
    std::vector<std::string> images;
    for (std::size_t i = 0; i < code.cubins.size(); ++i) {
        images.push_back(fmt::format("{}_cubin{}", emission.request.name, i));
        values["cubins"] += as_array(
            fmt::format("const unsigned char {0}_ALIGNED {0}_cubin{1}", emission.request.name, i), code.cubins[i]);
    }
    values["images"] = fmt::format("{}", fmt::join(images, ", "));
    return values;
}

std::vector<std::string> how_to_call_c(const Emission& emission, const MachineCode& code) {
    const std::string& name = emission.request.name;
    const char* inputs = emission.request.problem.arrays == 2 ? "x, y" : "input";
    return {
        fmt::format("{0}_code code;", name),
        fmt::format("CUresult error = {}_load(&code);                    // once in each context", name),
        fmt::format("cuMemAlloc(&workspace, {}_workspace_bytes(n));      // or {}_largest_workspace_bytes", name, name),
        fmt::format("cuMemsetD8(workspace, 0, {}_zeroed_bytes);          // once", name),
        fmt::format("error = {}_reduce(&code, {}, n, output, workspace, stream);", name, inputs),
        fmt::format("error = {}_unload(&code);", name),
        "",
        fmt::format("The kernels are machine code for {}, made by {}; the driver must be of its CUDA version or newer.",
                    emission.device.architecture(), code.compiler),
        "Compile this file as C99 or C++ and link libcuda. To include only the declarations elsewhere:",
        fmt::format("#define {}_ONLY_DECLARATIONS", name),
        "#include \"THIS FILE\""};
}

}  // namespace

std::string c_file(const Emission& emission, const MachineCode& code) {
    const Values values = c_values(emission, code);
    const std::string& name = emission.request.name;
    std::string text = opening_comment(emission, how_to_call_c(emission, code));
    text += fmt::format("\n#ifndef {0}_DECLARED\n#define {0}_DECLARED\n\n", name);
    text += fill_in("c_declarations", values);
    text +=
        fmt::format("\n#endif /* {0}_DECLARED */\n\n#ifndef {0}_ONLY_DECLARATIONS\n\n#include <string.h>\n\n", name);
    text += fill_in("c_host", values);
    return text + fmt::format("\n#endif /* {}_ONLY_DECLARATIONS */\n", name);
}

}  // namespace redtune::emit
