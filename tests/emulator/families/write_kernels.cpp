// Writes the C++ file that instantiates the selected kernels of the families of one template for the emulator.
// Usage: write_kernels TEMPLATE EXTENT OUT

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "tests/emulator/families/selection.h"

int main(int argc, char** argv) {
    using namespace redtune;
    if (argc != 4) {
        std::fprintf(stderr, "usage: write_kernels TEMPLATE EXTENT OUT\n");
        return 2;
    }
    const std::string path = argv[1];
    const emulated::Extent extent = emulated::parse_extent(argv[2]);
    std::set<jit::KernelName> names;
    const std::vector<Family> families = emulated::emulated_families();
    for (const Family& family : families) {
        if (family.path != path) continue;
        for (const emulated::Case& entry : emulated::select_cases(family, extent)) {
            for (const KernelRole role : roles_of(entry.candidate.rule)) {
                const launch::KernelRequest request(entry.candidate.configuration, entry.candidate.rule,
                                                    emulated::count_place(extent));
                names.insert(launch::kernel_name(family, entry.problem, request, role));
            }
        }
    }
    std::ofstream out(argv[3]);
    out << "#include \"families/kernel_table.h\"\n#include \"stand_in/cuda_builtins.h\"\n";
    if (!names.empty() && !names.begin()->included_first.empty()) {
        out << "#include \"" << names.begin()->included_first << "\"\n";
    }
    out << "#include \"" << path << "\"\n#include \"kernels_src/finish.cuh\"\n\n";
    out << "namespace {\n\nusing redtune::emulated::KernelEntry;\n\n";
    out << "template <class P>\nvoid call(void (*kernel)(redtune::Arguments<P>), const void* arguments) {\n"
           "    kernel(*static_cast<const redtune::Arguments<P>*>(arguments));\n}\n\n";
    std::size_t i = 0;
    for (const jit::KernelName& name : names) {
        // The name of combine_partials<P, block> does not tell the problem of its arguments, which is PartialsOf<P>.
        // call() deduces it from the type of the kernel.
        out << fmt::format(
            "const KernelEntry entry_{}(\"{}\", [](const void* arguments) {{ call({}, arguments); }});\n", i++,
            name.expression, name.expression);
    }
    out << "\n}  // namespace\n";
    out.close();
    return out ? 0 : 1;
}
