// redtune-bench: tuned reductions against CUB, cell by cell, in one process.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <map>

#include "bench/comparison.h"
#include "bench/cub_reduce.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/core/size_list.h"

namespace {

using namespace redtune;

struct Options {
    std::vector<std::string> ops = {"sum"};
    std::vector<std::string> dtypes = {"f32"};
    std::string bytes = "1Ki..256Mi";
    std::vector<std::string> regimes = {"cold"};
    std::string determinism = "any";
    std::uint64_t offset = 0;
    std::string database;
    cli::Format format = cli::Format::table;
};

std::string verdict_of(const comparison::Outcome& outcome) {
    if (outcome.ratio_low > 1) return "faster";
    return outcome.ratio_high < 1 ? "slower" : "tie";
}

/// Geometric means of the ratios, by type, operator and all.
class Summary {
  public:
    void add(const std::string& group, double ratio) {
        auto& [sum, count] = groups_[group];
        sum += std::log(ratio);
        ++count;
    }
    void print() const {
        for (const auto& [group, total] : groups_) {
            fmt::print(stderr, "geometric mean, {}: {:.3f} over {} cells\n", group,
                       std::exp(total.first / static_cast<double>(total.second)), total.second);
        }
    }

  private:
    std::map<std::string, std::pair<double, int>> groups_;
};

int run(const Options& options) {
    const std::vector<std::uint64_t> sizes = parse_sizes(options.bytes);
    CatalogOptions from;
    if (!options.database.empty()) from.user_database = options.database;
    const Catalog catalog = Catalog::open(from);
    const jit::SourceSet sources = jit::SourceSet::load();
    jit::CubinCache cache(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes());
    cli::Table table({{"op"},
                      {"dtype"},
                      {"bytes"},
                      {"n"},
                      {"regime"},
                      {"alignment"},
                      {"redtune_us", 3},
                      {"cub_us", 3},
                      {"ratio", 3},
                      {"ratio_low", 3},
                      {"ratio_high", 3},
                      {"verdict"},
                      {"gb_per_s", 0},
                      {"peak_percent", 1},
                      {"configuration"},
                      {"cub_version"}});
    Summary summary;
    std::vector<std::string> slower;
    for (const std::string& op : options.ops) {
        for (const std::string& dtype : options.dtypes) {
            Problem problem = make_problem(op, parse_type(dtype));
            problem.determinism = parse_determinism(options.determinism);
            if (!comparison::cub_has(op, dtype)) {
                throw InputError(
                    fmt::format("CUB is compared for sum, max and argmin of f32, f64, i32, i64, f16, bf16 "
                                "and i8, not for {} of {}",
                                op, dtype));
            }
            const std::uint64_t element = size_of(problem.input);
            comparison::Comparison comparison(problem, sizes.back() / element, sources, cache, catalog);
            for (const std::string& name : options.regimes) {
                for (const std::uint64_t bytes : sizes) {
                    const Regime regime = parse_regime(name);
                    if (regime == Regime::warm && bytes > comparison.device().l2_bytes / 2) continue;
                    const std::uint64_t n = bytes / element;
                    const comparison::Outcome outcome = comparison.run({n, regime, options.offset});
                    const std::string cell = fmt::format("{} {} {} {}", op, dtype, format_size(bytes), name);
                    if (!outcome.problem.empty()) {
                        fmt::print(stderr, "{}: {}\n", cell, outcome.problem);
                        continue;
                    }
                    const std::string verdict = verdict_of(outcome);
                    if (verdict == "slower") slower.push_back(fmt::format("{} ({:.3f})", cell, outcome.ratio));
                    summary.add("all", outcome.ratio);
                    summary.add(op, outcome.ratio);
                    summary.add(dtype, outcome.ratio);
                    const double gb_per_s = static_cast<double>(bytes) / outcome.redtune_us * 1e-3;
                    table.add({op, dtype, static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(n), name,
                               options.offset == 0 ? std::string("aligned") : fmt::format("{} off", options.offset),
                               outcome.redtune_us, outcome.cub_us, outcome.ratio, outcome.ratio_low, outcome.ratio_high,
                               verdict, gb_per_s,
                               regime == Regime::cold ? cli::Cell(100 * gb_per_s / comparison.device().peak_gb_per_s)
                                                      : cli::Cell(),
                               outcome.configuration, std::int64_t{comparison::cub_version()}});
                }
            }
        }
    }
    table.print(std::cout, options.format);
    summary.print();
    for (const std::string& cell : slower) fmt::print(stderr, "slower: {}\n", cell);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Tuned reductions against CUB: samples of both in turns, on the same inputs.", "redtune-bench");
    app.add_option("--op", options.ops, "sum, max, argmin")->delimiter(',')->capture_default_str();
    app.add_option("--dtype", options.dtypes, "f32, f64, i32, i64, f16, bf16, i8")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--bytes", options.bytes, "Bytes of input: 1Ki..4Gi")->capture_default_str();
    app.add_option("--regime", options.regimes, "cold, warm (up to half the L2)")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--determinism", options.determinism, "any, run_to_run")->capture_default_str();
    app.add_option("--offset", options.offset, "Elements that the pointer is off alignment")->capture_default_str();
    app.add_option("--db", options.database, "Database with the tuned configurations");
    redtune::cli::add_format_option(app, options.format);
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::ParseError& error) {
        const bool is_help = error.get_exit_code() == 0;
        app.exit(error);
        return is_help ? 0 : 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "redtune-bench: {}\n", error.what());
        return dynamic_cast<const redtune::InputError*>(&error) != nullptr ? 2 : 1;
    }
}
