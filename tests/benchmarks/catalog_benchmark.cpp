// Times the look-ups of a catalog. scripts/bench-catalog builds and runs this program.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "redtune/catalog.h"

namespace {

using redtune::Catalog;

/// Returns the processor time of this thread, in microseconds.
double processor_time_us() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/// Returns the processor time that `work` takes, in microseconds. Unlike the time that passes, it does not count the
/// time in which other programs run.
template <class Work>
double time_us(Work work) {
    const double start = processor_time_us();
    work();
    return processor_time_us() - start;
}

/// The least time of each step.
struct Times {
    double open_us = std::numeric_limits<double>::infinity();
    double first_find_us = open_us;
    double find_us = open_us;
    double first_select_us = open_us;
};

/// Opens a catalog and times each step in it.
void run(const redtune::CatalogOptions& options, Times& least) {
    constexpr int finds = 1000;
    const redtune::Problem problem = redtune::make_problem("sum", redtune::Type::f32);
    const redtune::Problem other = redtune::make_problem("sum", redtune::Type::f16);
    std::optional<Catalog> catalog;
    least.open_us = std::min(least.open_us, time_us([&] { catalog = Catalog::open(options); }));
    const std::string device = catalog->devices().at(0);
    const redtune::DeviceInfo info = catalog->find_device(device).value();
    std::uint64_t found = 0;
    const auto find = [&](std::uint64_t n) { found += catalog->find(problem, n, device).has_value(); };
    least.first_find_us = std::min(least.first_find_us, time_us([&] { find(1 << 20); }));
    const double all_us = time_us([&] {
        for (std::uint64_t i = 1; i <= finds; ++i) find(i * 1'234'567);
    });
    least.find_us = std::min(least.find_us, all_us / finds);
    least.first_select_us = std::min(least.first_select_us, time_us([&] { catalog->select(other, info); }));
    if (found != finds + 1) throw std::runtime_error("the catalog has no winners for sum of f32");
}

}  // namespace

/// Usage: catalog_benchmark USER_DATABASE SYSTEM_DATA REPEATS
int main(int argc, char** argv) {
    try {
        if (argc != 4) throw std::invalid_argument("three arguments are needed: USER_DATABASE SYSTEM_DATA REPEATS");
        Times least;
        for (int i = 0; i < std::stoi(argv[3]); ++i) run({argv[1], argv[2]}, least);
        fmt::print("{:>10.2f} {:>14.2f} {:>16.2f} {:>9.3f}\n", least.open_us / 1e3, least.first_find_us / 1e3,
                   least.first_select_us / 1e3, least.find_us);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "catalog_benchmark: {}\n", error.what());
        return 1;
    }
}
