// Writes the C++ files that instantiate the selected kernels of all families for the emulator: FOLDER/NAME_kernels.cpp
// (NAME_counted_kernels.cpp for the extent `counted`) for each device source NAME.cuh that defines some of the kernels.
// A file whose text stays the same is not written, so that it is not compiled again. Usage: write_kernels EXTENT FOLDER

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "tests/emulator/families/selection.h"

namespace redtune::emulated {
namespace {

using Kernels = std::set<jit::KernelName>;

/// Returns the kernels of an extent by the device source that defines them. Families share the kernel of finish.cuh.
std::map<std::string, Kernels> kernels_by_source(Extent extent) {
    std::map<std::string, Kernels> kernels;
    const std::vector<Family> families = emulated_families();
    for (const Family& family : families) {
        for (const Case& entry : select_cases(family, extent)) {
            for (const KernelRole role : roles_of(entry.candidate.rule)) {
                const launch::KernelRequest request(entry.candidate.configuration, entry.candidate.rule,
                                                    count_place(extent));
                jit::KernelName name = launch::kernel_name(family, entry.problem, request, role);
                kernels[name.source].insert(std::move(name));
            }
        }
    }
    return kernels;
}

/// Returns the text of a file. Its names are in a namespace of their own, so that files can be compiled together.
std::string text_of(const std::string& name, const std::string& source, const Kernels& kernels) {
    std::string text = "#include \"families/kernel_table.h\"\n#include \"stand_in/cuda_builtins.h\"\n";
    if (const std::string& first = kernels.begin()->included_first; !first.empty()) {
        text += fmt::format("#include \"{}\"\n", first);
    }
    text += fmt::format("#include \"{}\"\n\n", source);
    text += fmt::format("namespace {{\nnamespace {} {{\n\nusing redtune::emulated::KernelEntry;\n\n", name);
    text +=
        "template <class P>\nvoid call(void (*kernel)(redtune::Arguments<P>), const void* arguments) {\n"
        "    kernel(*static_cast<const redtune::Arguments<P>*>(arguments));\n}\n\n";
    std::size_t i = 0;
    for (const jit::KernelName& kernel : kernels) {
        // The name of combine_partials<P, block> does not tell the problem of its arguments, which is PartialsOf<P>.
        // call() deduces it from the type of the kernel.
        text +=
            fmt::format("const KernelEntry entry_{}(\"{}\", [](const void* arguments) {{ call({}, arguments); }});\n",
                        i++, kernel.expression, kernel.expression);
    }
    return text + fmt::format("\n}}  // namespace {}\n}}  // namespace\n", name);
}

/// Returns whether the file has this text afterwards.
bool write_if_changed(const std::filesystem::path& path, const std::string& text) {
    std::ifstream old(path);
    if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return true;
    std::ofstream file(path);
    file << text;
    file.close();
    return !file.fail();
}

}  // namespace
}  // namespace redtune::emulated

int main(int argc, char** argv) {
    using namespace redtune::emulated;
    if (argc != 3) {
        std::fprintf(stderr, "usage: write_kernels EXTENT FOLDER\n");
        return 2;
    }
    const Extent extent = parse_extent(argv[1]);
    const char* suffix = extent == Extent::counted ? "_counted_kernels" : "_kernels";
    for (const auto& [source, kernels] : kernels_by_source(extent)) {
        const std::string name = std::filesystem::path(source).stem().string() + suffix;
        const std::filesystem::path path = std::filesystem::path(argv[2]) / (name + ".cpp");
        if (!write_if_changed(path, text_of(name, source, kernels))) {
            std::fprintf(stderr, "%s cannot be written\n", path.c_str());
            return 1;
        }
    }
    return 0;
}
