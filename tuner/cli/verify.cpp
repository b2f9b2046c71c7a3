#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>

#include "db/layer.h"
#include "db/location.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_filter.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/progress_line.h"
#include "tuner/cli/size_filter.h"
#include "tuner/cli/verify_output.h"
#include "tuner/gpu/device.h"
#include "tuner/search/retune.h"
#include "tuner/search/verification.h"
#include "tuner/timing/constants.h"

namespace redtune::cli {

namespace {

/// Samples of each finalist with --quick.
constexpr int quick_rounds = 8;

struct VerifyCommandOptions {
    ProblemOptions problem = unset_problem_options();
    std::string sizes;
    std::vector<std::string> regimes;
    std::string device;
    std::string file;
    int samples = timing::final_rounds;
    bool quick = false;
    double tolerance_percent = 5;
    bool retune = false;
    std::string effort = "exhaustive";
    Format format = Format::table;
};

/// Returns the device of --device. Unlike other commands, `verify` takes no recording in place of a GPU that is not
/// there, because times of a recording say nothing about this machine.
DeviceChoice choose_measurable_device(const std::string& text) {
    const auto say_how = [] {
        return DeviceError(
            "there is no such GPU here to measure on (`redtune doctor` says why); --device replay:NAME compares the "
            "winners with a recording");
    };
    if (text.empty() && gpu::list_devices().empty()) throw say_how();
    DeviceChoice choice = choose_device(text);
    if (choice.ordinal < 0 && !text.starts_with("replay:")) throw say_how();
    return choice;
}

DeviceInfo describe_device(const DeviceChoice& choice) {
    if (choice.ordinal >= 0) return gpu::device_at(choice.ordinal).info;
    if (auto device = recorded_device(choice.recording)) return *device;
    throw InputError(fmt::format("the recording '{}' is empty", choice.recording));
}

/// Returns the file of --db; without it, the user's own.
std::filesystem::path user_database(const VerifyCommandOptions& options) {
    if (options.file.empty()) return db::user_database_path();
    if (options.retune || std::filesystem::exists(options.file)) return options.file;
    throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", options.file));
}

search::WinnerFilter parse_filter(const VerifyCommandOptions& options) {
    std::vector<Regime> regimes;
    for (const std::string& name : options.regimes) regimes.push_back(parse_regime(name));
    return [regimes, is_problem = parse_problem_filter(options.problem),
            is_size = parse_size_filter(options.sizes)](const db::StoredWinner& winner) {
        const bool is_regime = regimes.empty() || std::ranges::find(regimes, winner.regime) != regimes.end();
        return is_regime && is_problem(winner.problem) && is_size(winner.n);
    };
}

/// Returns whether the configuration is of one of these families and has each of its parameters that has no default.
bool names_a_kernel(const Configuration& configuration, const std::vector<Family>& families) {
    const auto family = std::ranges::find(families, configuration.family, &Family::name);
    return family != families.end() && std::ranges::all_of(family->parameters, [&](const ParameterValues& parameter) {
               return parameter.default_value || configuration.find(parameter.name) != nullptr;
           });
}

/// Verifies the winners that the options ask for, problem by problem.
class Verifying {
  public:
    explicit Verifying(const VerifyCommandOptions& options)
        : options_(options),
          filter_(parse_filter(options)),
          determinism_(parse_determinism(options.problem.determinism)),
          effort_(search::parse_effort(options.effort)),
          sources_(load_sources(options.problem)),
          families_(sources_.families()),
          device_(choose_measurable_device(options.device)),
          file_(user_database(options)) {}

    int run() {
        const DeviceInfo device = describe_device(device_);
        for (const db::Layer& layer : db::layers(file_, db::system_data_folder())) {
            stores_.push_back(layer.open());
            stores_.back().complete_configurations(families_);
        }
        std::vector<search::StoredCell> cells =
            search::stored_cells(stores_, device, determinism_, device_.ordinal < 0, filter_);
        total_ = cells.size();
        try {
            verify_problems(cells);
        } catch (const Error&) {
            if (!verified_.empty()) print();
            throw;
        }
        if (left_out_ != 0) {
            note("{} winners are left out: the recording has no screenings of their sizes.\n", left_out_);
        }
        if (verified_.empty() && !stop_) return say_nothing_found(device);
        if (!verified_.empty()) print();
        return exit_code();
    }

  private:
    void verify_problems(std::span<search::StoredCell> cells) {
        while (!cells.empty() && !stop_) {
            const Problem problem = problem_of(cells.front());
            std::size_t count = 1;
            while (count < cells.size() && problem_of(cells[count]) == problem) ++count;
            verify_problem(problem, cells.first(count));
            cells = cells.subspan(count);
        }
    }

    Problem problem_of(const search::StoredCell& cell) const {
        Problem problem = cell.winner.problem;
        problem.determinism = determinism_;
        return problem;
    }

    std::unique_ptr<search::Executor> executor_for(const Problem& problem, std::uint64_t largest_n) {
        return make_executor_of_this_process(device_, problem, largest_n, sources_, cache_);
    }

    void verify_problem(const Problem& problem, std::span<search::StoredCell> cells) {
        const std::unique_ptr<search::Executor> probe = executor_for(problem, 1);
        std::vector<search::StoredCell*> measurable;
        std::uint64_t largest_n = 1;
        std::vector<Trial> trials;
        for (search::StoredCell& cell : cells) {
            const bool is_refused = probe->refuses(cell.winner.n, cell.winner.regime).has_value();
            if (is_refused && device_.ordinal < 0) {
                ++left_out_;
                continue;
            }
            search::read_rivals(cell, stores_[cell.store]);
            measurable.push_back(&cell);
            if (is_refused) continue;
            largest_n = std::max(largest_n, cell.winner.n);
            std::ranges::move(search::trials_of(cell, families_), std::back_inserter(trials));
        }
        if (measurable.empty()) return;
        const std::unique_ptr<search::Executor> executor = executor_for(problem, largest_n);
        const std::size_t first = verified_.size();
        {
            ProgressLine line;
            prepare(*executor, trials, line);
            for (search::StoredCell* cell : measurable) {
                if (stop_) break;
                verify_cell(std::move(*cell), *executor, line);
            }
        }
        if (options_.retune) retune(problem, std::span(verified_).subspan(first), *executor);
    }

    void prepare(search::Executor& executor, std::span<const Trial> trials, ProgressLine& line) const {
        std::vector<Trial> known;
        for (const Trial& trial : trials) {
            if (names_a_kernel(trial.configuration, families_)) known.push_back(trial);
        }
        executor.prepare(
            known,
            [&](const search::PrepareProgress& compile) {
                search::SweepProgress now;
                now.phase = search::SweepProgress::Phase::compile;
                now.compile = compile;
                line.show(now);
            },
            stop_);
    }

    void verify_cell(search::StoredCell&& cell, search::Executor& executor, ProgressLine& line) {
        const search::VerifyOptions how{options_.tolerance_percent / 100,
                                        options_.quick ? quick_rounds : options_.samples};
        search::Verification verification = search::verify(cell, executor, families_, how);
        search::Cell key;
        key.n = cell.winner.n;
        key.regime = cell.winner.regime;
        search::SweepProgress progress;
        progress.cell = &key;
        progress.best = to_string(cell.winner.measurement.configuration);
        progress.best_us = verification.now_us;
        verified_.push_back({std::move(cell), std::move(verification), std::nullopt});
        progress.done = verified_.size();
        progress.total = total_ - left_out_;
        progress.failed = static_cast<std::size_t>(std::ranges::count_if(verified_, [](const VerifiedCell& each) {
            return each.verification.verdict == search::Verdict::cannot_run;
        }));
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
        progress.remaining_s =
            elapsed.count() / static_cast<double>(progress.done) * static_cast<double>(progress.total - progress.done);
        line.show(progress);
    }

    void retune(const Problem& problem, std::span<VerifiedCell> verified, search::Executor& executor) {
        std::vector<search::CellKey> drifted;
        for (const VerifiedCell& each : verified) {
            if (is_ok(each)) continue;
            drifted.emplace_back(each.stored.winner.n, each.stored.winner.regime);
        }
        if (drifted.empty() || stop_) return;
        note("{}: tuning {} sizes again.\n", describe(problem), drifted.size());
        db::Store store = db::Store::open(file_, db::Access::read_write);
        store.complete_configurations(families_);
        {
            ProgressLine line;
            search::retune(
                drifted, problem, effort_, executor, store, families_,
                [&](const search::SweepProgress& progress) { line.show(progress); }, stop_);
        }
        if (stop_) return;  // the last cells keep their old winners
        for (VerifiedCell& each : verified) {
            const db::StoredWinner& old = each.stored.winner;
            if (is_ok(each) || executor.refuses(old.n, old.regime)) continue;
            each.retuned = store.unit_winner(executor.device(), problem, old.n, old.regime, problem.determinism);
        }
    }

    static bool is_ok(const VerifiedCell& cell) { return cell.verification.verdict == search::Verdict::ok; }

    void print() const {
        verification_table(verified_, families_).print(std::cout, options_.format);
        std::cout.flush();  // ahead of the summary, if both streams go to one file
        note("{}.\n", count_verdicts(verified_));
    }

    int exit_code() const {
        if (stop_) {
            fmt::print(stderr, "Interrupted: {} of {} winners were verified.\n", verified_.size(), total_ - left_out_);
            return interrupted;
        }
        if (std::ranges::all_of(verified_, is_ok)) return done;
        if (!options_.retune) fmt::print(stderr, "The same command with --retune tunes the drifted sizes again.\n");
        return drifted;
    }

    int say_nothing_found(const DeviceInfo& device) const {
        fmt::print(stderr,
                   "No winner for {} and these options is stored in {} or the shipped data; `redtune tune` finds "
                   "them, `redtune db list` shows what is stored.\n",
                   device.name, file_.string());
        return nothing_found;
    }

    const VerifyCommandOptions& options_;
    search::WinnerFilter filter_;
    Determinism determinism_;
    search::Effort effort_;
    jit::SourceSet sources_;
    std::vector<Family> families_;
    DeviceChoice device_;
    std::filesystem::path file_;
    std::vector<db::Store> stores_;  ///< the layers
    KernelCache cache_;
    const std::atomic<bool>& stop_ = stop_on_interrupt();
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::size_t total_ = 0;     ///< number of stored winners
    std::size_t left_out_ = 0;  ///< of these, the number that the recording has no times of
    std::vector<VerifiedCell> verified_;
};

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<VerifyCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "verify", "Measures stored winners again: shows which drifted and why, and tunes these again");
    add_problem_options(*command, options->problem, {.templates = true});
    command->get_option("--dtype")->default_str("");
    command->add_option("--determinism", options->problem.determinism, "Winners for any or run_to_run")
        ->capture_default_str();
    command->add_option("--size", options->sizes,
                        "Tuned sizes: all in a range (1Ki..1Gi), or those of a list (4096,16Mi) (default: all)");
    command->add_option("--regime", options->regimes, "cold, warm, back_to_back, or several (default: all)")
        ->delimiter(',');
    command->add_option("--device", options->device,
                        "GPU by number or part of its name, or replay:NAME (default: the first GPU)");
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    CLI::Option* samples =
        command->add_option("--samples", options->samples, "Samples of the winner and of each other finalist")
            ->check(CLI::Range(2, 10000))
            ->capture_default_str();
    command->add_flag("--quick", options->quick, fmt::format("The same as --samples {}", quick_rounds))
        ->excludes(samples);
    command
        ->add_option("--tolerance", options->tolerance_percent,
                     "Percent by which a time may change, or another finalist be faster")
        ->check(CLI::Range(0.0, 1000.0))
        ->capture_default_str();
    command->add_flag("--retune", options->retune, "Tune the drifted sizes again, into your database");
    command->add_option("--effort", options->effort, "Effort of --retune: exhaustive or quick (see `redtune tune`)")
        ->capture_default_str();
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { exit_code = Verifying(*options).run(); });
}

}  // namespace redtune::cli
