#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>

#include "db/layer.h"
#include "db/location.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/cli/tuned_list.h"
#include "tuner/cli/write_file.h"
#include "tuner/core/size_list.h"
#include "tuner/emit/c_file.h"
#include "tuner/emit/cuda_file.h"

namespace redtune::cli {

namespace {

struct EmitOptions {
    ProblemOptions problem;
    std::string device;
    std::string sizes;
    std::string regime = "cold";
    std::string format = "cuda";
    std::string name;
    std::string output = "-";
    std::optional<std::string> file;
};

/// Sizes in elements, both ends included.
struct Sizes {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

std::filesystem::path user_file(const EmitOptions& options) {
    if (!options.file) return db::user_database_path();
    if (!std::filesystem::exists(*options.file)) {
        throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", *options.file));
    }
    return *options.file;
}

/// Returns whether some size of the problem was tuned on the device, with any row length or number of columns.
bool is_tuned(const Catalog& catalog, const Problem& problem, const std::string& device, Regime regime) {
    for (const Problem& known : catalog.problems(device)) {
        const bool is_same_kind = shape_of(known).kind() == shape_of(problem).kind();
        const Problem tuned = is_same_kind ? with_shape(problem, shape_of(known)) : problem;
        if (!catalog.tuned_sizes(tuned, device, regime).empty()) return true;
    }
    return false;
}

/// Returns the sizes of --size, or all tuned sizes, cut to whole rows.
/// @throws InputError if there are none
Sizes choose_sizes(const EmitOptions& options, const Problem& problem, const std::vector<std::uint64_t>& tuned) {
    Sizes sizes;
    if (!options.sizes.empty()) {
        const std::vector<std::uint64_t> listed = parse_sizes(options.sizes);
        sizes = {listed.front(), listed.back()};
    } else if (!tuned.empty()) {
        sizes = {tuned.front(), tuned.back()};
    } else {
        throw InputError("rows of this length were not tuned, so there is no range of tuned sizes; give --size");
    }
    const std::uint64_t unit = shape_of(problem).unit();
    const Sizes whole{(sizes.least + unit - 1) / unit * unit, sizes.most / unit * unit};
    if (whole.least > whole.most) {
        throw InputError(fmt::format("--size {} has no whole number of rows of {}", options.sizes, unit));
    }
    return whole;
}

/// Prints that nothing was found, what is tuned for the device, and the command that would tune this problem.
void print_miss(const EmitOptions& options, const Catalog& catalog, const Problem& problem, const std::string& device) {
    fmt::print(stderr, "Nothing is known for {}{}, {}, on \"{}\".", describe(problem),
               options.sizes.empty() ? "" : ", n = " + options.sizes, options.regime, device);
    const std::vector<std::string> tuned = list_tuned(catalog, device);
    fmt::print(stderr, "{}\n", tuned.empty() ? "" : " Tuned for it:");
    for (const std::string& line : tuned) fmt::print(stderr, "  {}\n", line);
    fmt::print(stderr, "To tune it, on a machine with that GPU:\n  redtune tune {} --size {} --regime {}\n",
               as_options(options.problem), options.sizes.empty() ? "1Ki..1Gi" : options.sizes, options.regime);
}

/// Prints a line on stderr if a part of the sizes is outside of the tuned ones.
void warn_of_untuned_sizes(const EmitOptions& options, const Sizes& sizes, const std::vector<std::uint64_t>& tuned) {
    if (tuned.empty()) {
        fmt::print(stderr, "Rows of this length were not tuned: the configurations are those of the nearest length.\n");
    } else if (sizes.least < tuned.front() || sizes.most > tuned.back()) {
        fmt::print(stderr,
                   "Tuned sizes are {} to {}; other sizes use the nearest configuration. To tune them: redtune tune {} "
                   "--size {} --regime {}\n",
                   format_size(tuned.front()), format_size(tuned.back()), as_options(options.problem), options.sizes,
                   options.regime);
    }
}

/// Prints a line on stderr if the code of a kernel is not the code that was measured.
void warn_of_changed_code(const emit::Emission& emission) {
    for (const auto& [family, hash] : emission.code_hashes) {
        const auto measured = emission.provenance.measured_code.find(family);
        if (measured == emission.provenance.measured_code.end() || measured->second.contains(hash)) continue;
        fmt::print(
            stderr,
            "The code of {} has changed since it was measured, so another kernel may be the fastest now; `redtune "
            "tune` measures again.\n",
            family);
    }
}

/// Returns the text with everything but letters and digits replaced by underscores.
std::string as_identifier(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_allowed = std::isalnum(byte) != 0;
        if (is_allowed) name += static_cast<char>(std::tolower(byte));
        if (!is_allowed && !name.ends_with('_')) name += '_';
    }
    return name;
}

/// Returns a name that differs from that of any other problem, device, regime or range of sizes.
std::string default_name(const Problem& problem, const std::string& device, Regime regime, const Sizes& sizes) {
    std::string name = fmt::format("redtune_{}_{}", problem.op, to_string(problem.input));
    if (problem.accumulator != problem.input || problem.output != problem.accumulator) {
        name += fmt::format("_{}_{}", to_string(problem.accumulator), to_string(problem.output));
    }
    const Shape shape = shape_of(problem);
    if (shape.kind() != ShapeKind::whole) name += fmt::format("_{}{}", to_string(shape.kind()), shape.unit());
    if (problem.determinism != Determinism::any) name += fmt::format("_{}", to_string(problem.determinism));
    if (problem.destructive) name += "_destructive";
    if (regime != Regime::cold) name += fmt::format("_{}", to_string(regime));
    return as_identifier(fmt::format("{}_{}_{}_{}", name, device, format_size(sizes.least), format_size(sizes.most)));
}

/// Returns --name, or the default name. @throws InputError if --name is not an identifier
std::string choose_name(const EmitOptions& options, const std::string& default_one) {
    const std::string& name = options.name;
    if (name.empty()) return default_one;
    const auto is_allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 || !std::all_of(name.begin(), name.end(), is_allowed)) {
        throw InputError(fmt::format("--name '{}' is not a C++ identifier; use letters, digits and _, such as {}", name,
                                     default_one));
    }
    return name;
}

/// Returns the command that makes the same code again. It leaves out -o, which does not change the code.
std::string command_of(const EmitOptions& options, const emit::Request& request) {
    const std::string least = format_size(request.least);
    const std::string sizes = request.least == request.most ? least : least + ".." + format_size(request.most);
    std::string text =
        fmt::format("redtune emit {} --device \"{}\" --size {} --regime {} --format {} --name {}",
                    as_options(options.problem), request.device, sizes, options.regime, options.format, request.name);
    if (options.file) text += " --db " + *options.file;
    return text;
}

void write(const EmitOptions& options, const std::string& text) {
    if (options.output == "-") {
        std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
        write_file(options.output, text);
        note("{}: {} bytes\n", options.output, text.size());
    }
}

void run(const EmitOptions& options, int& exit_code) {
    const Problem problem = parse_problem(options.problem, 0);
    const Regime regime = parse_regime(options.regime);
    const std::filesystem::path user = user_file(options);
    const Catalog catalog = Catalog::open({.user_database = user, .system_data = std::nullopt});
    const std::optional<std::string> device = choose_tuned_device(catalog.devices(), options.device);
    exit_code = nothing_found;
    if (!device) return;
    if (!is_tuned(catalog, problem, *device, regime)) return print_miss(options, catalog, problem, *device);
    const std::vector<std::uint64_t> tuned = catalog.tuned_sizes(problem, *device, regime);
    const Sizes sizes = choose_sizes(options, problem, tuned);
    if (!tuned.empty() && (sizes.most < tuned.front() || sizes.least > tuned.back())) {
        return print_miss(options, catalog, problem, *device);
    }
    emit::Request request{problem, *device, regime, sizes.least, sizes.most, {}, {}};
    request.name = choose_name(options, default_name(problem, *device, regime, sizes));
    request.command = command_of(options, request);
    const emit::ProvenanceFinder measurements(db::layers(user, db::system_data_folder()));
    const jit::SourceSet sources = load_sources(options.problem);
    const auto emission = emit::make_emission(request, catalog, measurements, sources, sources.families());
    if (!emission) return print_miss(options, catalog, problem, *device);
    warn_of_untuned_sizes(options, sizes, tuned);
    warn_of_changed_code(*emission);
    write(options, options.format == "c" ? emit::c_file(*emission, emit::compile_kernels(*emission))
                                         : emit::cuda_file(*emission).text());
    exit_code = done;
}

}  // namespace

void add_emit_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<EmitOptions>();
    CLI::App* command = app.add_subcommand("emit", "Stand-alone code of the best kernels, which needs no redtune");
    add_problem_options(*command, options->problem, {.determinism = true, .templates = true});
    command
        ->add_option("--device", options->device,
                     "The device: its name or a part of it (h200), a GPU's number, or replay:NAME")
        ->required();
    command->add_option(
        "--size", options->sizes,
        "The sizes in elements for which the code chooses the best kernel: 1Ki..16Mi (default: all tuned "
        "sizes)");
    command
        ->add_option("--regime", options->regime,
                     "Where the input is: cold (memory), warm (L2 cache) or back_to_back (memory; calls back to back)")
        ->capture_default_str();
    command
        ->add_option("--format", options->format,
                     "cuda: a C++ header for nvcc and NVRTC. c: a C file with machine code, for the driver API")
        ->check(CLI::IsMember({"cuda", "c"}))
        ->capture_default_str();
    command->add_option("--name", options->name,
                        "Namespace of the C++ code, prefix of all names of the C code (default: from the problem)");
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    command->add_option("-o,--out", options->output, "The file to write; -: stdout")->capture_default_str();
    command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace redtune::cli
