// redtune-carry-measurements keeps the measurements of kernels that a change of the device code did not change.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>
#include <string>

#include "compare/unchanged_kernels.h"
#include "db/measured_kernels.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/scratch_folder.h"
#include "tuner/jit/cubin_cache.h"

namespace {

using namespace redtune;

struct CarryOptions {
    std::string against;
    std::string database;
};

/// Returns the architecture of all devices in a database.
/// @throws InputError if there is no device, or if they have several
std::string architecture_of(const db::Store& store) {
    std::set<std::string> architectures;
    for (const DeviceInfo& device : store.devices()) architectures.insert(device.architecture());
    if (architectures.size() == 1) return *architectures.begin();
    throw InputError(
        fmt::format("{} has measurements of {} architectures; only those of one can be carried over: remove the "
                    "other devices from a copy with `redtune db gc --device NAME --with-winners`",
                    store.file().string(), architectures.size()));
}

int run(const CarryOptions& options) {
    db::Store store = db::Store::open(options.database, db::Access::read_only);
    const std::string architecture = architecture_of(store);
    store = db::Store::open(options.database, db::Access::read_write);
    // An empty cache, so that NVRTC compiles both versions of a kernel in a program with the same other kernels. These
    // can change how it allocates registers.
    const cli::ScratchFolder folder;
    constexpr std::uint64_t cache_bytes = std::uint64_t{4} << 30;
    jit::CubinCache cache(folder.path(), cache_bytes);
    compare::KernelVersion old_version(jit::SourceSet::from_folder(options.against), cache, architecture);
    compare::KernelVersion new_version(jit::SourceSet::load(), cache, architecture);
    for (const Family& old_family : old_version.families) {
        const auto family = std::ranges::find(new_version.families, old_family.name, &Family::name);
        if (family == new_version.families.end() || family->code_hash == old_family.code_hash) continue;
        const auto measured = db::find_measured_kernels(store.connection(), family->name, old_family.code_hash);
        if (measured.empty()) continue;
        const auto unchanged = compare::find_unchanged_kernels(measured, new_version, old_version);
        const std::int64_t carried = store.set_code(unchanged, family->name, family->code_hash);
        fmt::print(
            "{}: {} of {} configurations (one for each problem) have the same machine code; {} measurements "
            "carried over\n",
            family->name, unchanged.size(), measured.size(), carried);
    }
    return cli::done;
}

}  // namespace

int main(int argc, char** argv) {
    CarryOptions options;
    CLI::App app(
        "Measurements of a database that stay valid after a change of the device code: those of kernels that this "
        "build's sources and those of a folder, with which they were made, compile to the same machine code. They get "
        "the code hash of this build. Needs NVRTC, but no GPU",
        "redtune-carry-measurements");
    app.add_option("--against", options.against, "A folder with the templates/ and kernels_src/ of the measurements")
        ->required();
    app.add_option("--db", options.database, "The database, which is changed")->required();
    return cli::run_program(app, argc, argv, [&] { return run(options); });
}
