// Prints the best known configuration for a sum of floats:
//   query 16Mi "NVIDIA H200"
// It needs no GPU, driver or CUDA toolkit.

#include <cstdint>
#include <exception>
#include <iostream>
#include <redtune/redtune.hpp>
#include <string>

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: query ELEMENTS DEVICE, for example: query 16Mi \"NVIDIA H200\"\n";
        return 2;
    }
    try {
        const std::uint64_t n = redtune::parse_size(argv[1]);  // throws InputError
        const redtune::Problem problem = redtune::make_problem("sum", redtune::Type::f32);

        // open() reads the databases; a program calls it once. Any thread may then call find(), which allocates
        // nothing.
        const redtune::Catalog catalog = redtune::Catalog::open();

        const auto match = catalog.find(problem, n, argv[2]);
        if (!match) {
            std::cerr << "no tuned configuration is known for this device; tuned devices are:\n";
            for (const std::string& device : catalog.devices()) std::cerr << "  " << device << '\n';
            return 4;
        }

        std::cout << "family       " << match->family << '\n';
        for (const redtune::Parameter& parameter : match->parameters) {
            std::cout << "  " << parameter.name << " = " << redtune::to_string(parameter.value) << '\n';
        }
        for (const redtune::Launch& launch : match->plan.launches()) {
            std::cout << "launch       " << launch.grid << " blocks of " << launch.block << " threads, "
                      << launch.shared_bytes << " bytes of dynamic shared memory\n";
        }
        std::cout << "workspace    " << match->plan.workspace_bytes << " bytes\n"
                  << "expected     " << match->expected_us << " us, " << match->gb_per_s << " GB/s\n"
                  << "match        " << redtune::to_string(match->kind) << ", tuned at n = " << match->tuned_n << " on "
                  << match->measured_at << '\n';
        return 0;
    } catch (const redtune::InputError& error) {
        std::cerr << error.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
