#include "tests/emit/emitted_host_code.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "tests/support/source_path.h"
#include "tuner/emit/c_file.h"
#include "tuner/emit/cuda_file.h"

namespace redtune::test_support {

namespace {

/// Stands for the kernels in a translation unit without device code: every kernel's address is its index + 1.
std::string host_part_without_kernels(const emit::Emission& emission) {
    std::istringstream lines(emit::cuda_file(emission).host);
    std::string text = fmt::format(
        "namespace {} {{ struct Reduction {{}}; namespace redtune {{ template <class> struct Arguments {{ uint64_t "
        "m[8]; "
        "}}; }} }}\n",
        emission.request.name);
    for (std::string line; std::getline(lines, line);) {
        const bool is_kernel = line.find("reinterpret_cast<const void*>(&redtune::") != std::string::npos;
        text += (is_kernel ? "return reinterpret_cast<const void*>(uintptr_t(index) + 1);" : line) + "\n";
    }
    return text;
}

// To warn of misleading indentation, GCC takes a time that grows with the square of the number of lines.
constexpr std::string_view warnings = "-Wall -Wextra -Wno-misleading-indentation -Werror";

constexpr std::string_view declared_parameters =
    "(uint64_t x, uint64_t y, uint64_t n, uint64_t output, uint64_t workspace, uint64_t stream)";

}  // namespace

EmittedHostCode EmittedHostCode::of_cuda_files(const std::vector<emit::Emission>& emissions) {
    std::string source =
        "#include <stdint.h>\n"
        "struct Any { uint64_t value; template <class T> operator T*() const { return "
        "reinterpret_cast<T*>(value); } };\n";
    for (std::size_t i = 0; i < emissions.size(); ++i) {
        const std::string& name = emissions[i].request.name;
        source += host_part_without_kernels(emissions[i]);
        source += fmt::format(
            "extern \"C\" int reduce{0}{1} {{ (void)y; return {2}::reduce({3}, n, Any{{output}}, Any{{workspace}}, "
            "Any{{stream}}); }}\n"
            "extern \"C\" uint64_t workspace_bytes{0}(uint64_t n) {{ return {2}::workspace_bytes(n); }}\n",
            i, declared_parameters, name, emissions[i].request.problem.arrays == 2 ? "Any{x}, Any{y}" : "Any{x}");
    }
    return {source, "host.cpp",
            fmt::format("c++ {} -std=c++17 -D__CUDACC__ -I{}", warnings, test::source_path("tests/emit/stand_in"))};
}

EmittedHostCode EmittedHostCode::of_c_files(const std::vector<emit::Emission>& emissions) {
    std::string source;
    for (std::size_t i = 0; i < emissions.size(); ++i) {
        const emit::Emission& emission = emissions[i];
        emit::MachineCode code{"a compiler", {"first", "second"}, {}, {}};
        for (std::size_t k = 0; k < emission.kernels.size(); ++k) {
            code.cubin_of_kernel.push_back(k % 2);
            code.symbol_of_kernel.push_back(fmt::format("kernel{}", k));
        }
        const std::string& name = emission.request.name;
        source += emit::c_file(emission, code);
        source += fmt::format(
            "{2}_code code{0};\n"
            "int reduce{0}{1} {{ (void)y; if (code{0}.context == NULL) {{ CUresult error = {2}_load(&code{0}); "
            "if (error != CUDA_SUCCESS) return error; }}\n"
            "  return {2}_reduce(&code{0}, {3}, n, output, workspace, (CUstream)(uintptr_t)stream); }}\n"
            "int unload{0}(void) {{ return {2}_unload(&code{0}); }}\n"
            "uint64_t workspace_bytes{0}(uint64_t n) {{ return {2}_workspace_bytes(n); }}\n",
            i, declared_parameters, name, emission.request.problem.arrays == 2 ? "x, y" : "x");
    }
    const std::string stand_in = test::source_path("tests/emit/stand_in");
    return {source, "host.c",
            fmt::format("cc {} -std=c99 -isystem {} -I{} {}/driver.c", warnings, test::cuda_include_folder(), stand_in,
                        stand_in)};
}

EmittedHostCode::EmittedHostCode(const std::string& source, const std::string& file, const std::string& compile)
    : folder_(std::make_unique<db::TemporaryFolder>()) {
    const std::filesystem::path library = *folder_ / "host.so";
    db::write_file(*folder_ / file, source);
    const ShellResult compiled =
        run_shell(fmt::format("{} -fPIC -shared -o {} {}", compile, library.string(), (*folder_ / file).string()));
    if (compiled.status != 0) throw std::runtime_error(compiled.output);
    library_ = std::make_unique<SharedLibrary>(library);
}

int EmittedHostCode::reduce(std::size_t emission, std::uint64_t n, std::uint64_t workspace,
                            std::vector<RecordedLaunch>& launches) {
    Recording& recorded = recording();
    recorded.launch_count = 0;
    const int error = (*library_->find<Reduce>(fmt::format("reduce{}", emission)))(x, y, n, output, workspace, stream);
    launches.assign(recorded.launches, recorded.launches + recorded.launch_count);
    return error;
}

std::uint64_t EmittedHostCode::workspace_bytes(std::size_t emission, std::uint64_t n) const {
    return (*library_->find<WorkspaceBytes>(fmt::format("workspace_bytes{}", emission)))(n);
}

}  // namespace redtune::test_support
