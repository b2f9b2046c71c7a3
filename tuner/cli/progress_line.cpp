#include "tuner/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "tuner/cli/colour.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/progress_bar.h"
#include "tuner/cli/terminal.h"
#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

constexpr std::chrono::milliseconds between_renewals(100);
constexpr std::size_t bar_columns = 16;
constexpr std::size_t least_columns_with_bar = 60;

std::string describe_compile(const search::PrepareProgress& compile) {
    return fmt::format("compiled {}/{} kernels ({} from the cache, {} failed)", compile.done, compile.total,
                       compile.from_cache, compile.failed);
}

/// Returns the counts of a sweep as a text for the progress line. Most counts that are zero are left out, so that the
/// line stays short.
std::string describe_counts(const search::SweepProgress& progress) {
    std::string text = fmt::format("[{}/{}, {} failed", progress.done, progress.total, progress.failed);
    if (progress.stopped_early != 0) text += fmt::format(", {} stopped early", progress.stopped_early);
    if (progress.pruned != 0) text += fmt::format(", {} pruned", progress.pruned);
    return text + fmt::format(", {} left]", format_duration(progress.remaining_s));
}

std::string describe_cell(const search::SweepProgress& progress, const std::string& counts) {
    const std::string kept = progress.kept_effort ? fmt::format("  (not stored: the winner there is of {} effort)",
                                                                search::effort_name(*progress.kept_effort))
                                                  : std::string();
    return fmt::format("n = {:<9} {}  {:.2f} us  {}{}{}{}", format_size(progress.cell->n),
                       to_string(progress.cell->regime), progress.best_us, counts, counts.empty() ? "" : "  ",
                       progress.best, kept);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Returns the line, cut with "..." if it is too long for a terminal of `columns` columns.
std::string cut(const std::string& line, std::size_t columns) {
    constexpr std::string_view dots = "...";
    if (line.size() < columns || columns <= dots.size()) return line;
    return line.substr(0, columns - 1 - dots.size()).append(dots);
}

}  // namespace

std::string format_duration(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{}s", whole);
    return fmt::format("{}m {:02}s", whole / 60, whole % 60);
}

ProgressLine::ProgressLine() : can_rewrite_(can_rewrite_lines(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() {
    clear();
    std::fflush(stderr);
}

void ProgressLine::show(const search::SweepProgress& progress, const std::vector<std::string>& labels) {
    using Phase = search::SweepProgress::Phase;
    const std::string label = labels.empty() ? std::string() : labels.at(progress.unit);
    const std::string begin = label.empty() ? std::string() : label + ": ";
    const search::SweepProgress sum = sum_of_sweeps(progress, labels);
    const std::string counts = describe_counts(sum);
    if (verbosity() == Verbosity::quiet && progress.phase != Phase::trial_lost && progress.phase != Phase::unit_lost) {
        return;
    }
    switch (progress.phase) {
        case Phase::compile: {
            const bool all = progress.compile.done == progress.compile.total;
            if (all && !said_compiled_ && progress.compile.total != 0) {
                print_line(describe_compile(progress.compile));
                said_compiled_ = true;
            } else if (!all) {
                rewrite_line(static_cast<double>(progress.compile.done) / static_cast<double>(progress.compile.total),
                             describe_compile(progress.compile));
            }
            break;
        }
        case Phase::measure:
        case Phase::cell_confirmed: {
            // The time tells how much is done. The number of candidates does not, because a search ends before all of
            // them have been measured.
            if (measuring_since_ == Clock::time_point()) measuring_since_ = Clock::now();
            if (verbosity() == Verbosity::verbose) print_if_best(progress, label);
            const double taken_s = std::chrono::duration<double>(Clock::now() - measuring_since_).count();
            rewrite_line(taken_s / std::max(taken_s + sum.remaining_s, 1e-3),
                         label.empty() ? describe_cell(progress, counts) : describe_units(progress, label, counts));
            break;
        }
        case Phase::trial_lost:
            print_line(fmt::format("{}n = {:<9} {}  {} failed and is left out: {}", begin,
                                   format_size(progress.cell->n), to_string(progress.cell->regime), progress.lost,
                                   first_line(progress.reason)));
            break;
        case Phase::cell_done:
            print_line(begin + (progress.best.empty()
                                    ? fmt::format("n = {:<9} {}  no candidate passed", format_size(progress.cell->n),
                                                  to_string(progress.cell->regime))
                                    : describe_cell(progress, can_rewrite_ ? "" : counts)));
            break;
        case Phase::unit_lost:
            cells_.erase(label);
            print_line(fmt::format("{}lost: {}", begin, first_line(progress.reason)));
            break;
    }
}

void ProgressLine::print_if_best(const search::SweepProgress& progress, const std::string& label) {
    const std::string best = progress.best.empty() ? std::string() : describe_cell(progress, "the best so far:");
    if (best.empty() || std::exchange(shown_best_[label], best) == best) return;
    print_line(label.empty() ? best : label + ": " + best);
}

search::SweepProgress ProgressLine::sum_of_sweeps(const search::SweepProgress& progress,
                                                  const std::vector<std::string>& labels) {
    if (labels.empty()) return progress;
    sweeps_[labels.front()] = progress;
    search::SweepProgress sum;
    for (const auto& [label, sweep] : sweeps_) {
        sum.done += sweep.done;
        sum.total += sweep.total;
        sum.failed += sweep.failed;
        sum.stopped_early += sweep.stopped_early;
        sum.pruned += sweep.pruned;
        sum.remaining_s = std::max(sum.remaining_s, sweep.remaining_s);
    }
    return sum;
}

std::string ProgressLine::describe_units(const search::SweepProgress& progress, const std::string& label,
                                         const std::string& counts) {
    cells_[label] = fmt::format("{} {} {:.2f} us", format_size(progress.cell->n), to_string(progress.cell->regime),
                                progress.best_us);
    std::string text = counts;
    for (const auto& [its_label, cell] : cells_) text += fmt::format("  {}: {}", its_label, cell);
    return text;
}

void ProgressLine::rewrite_line(double done, const std::string& line) {
    const auto now = Clock::now();
    if (!can_rewrite_ || now - last_ < between_renewals) return;
    last_ = now;
    clear();
    const std::size_t columns = terminal_columns(STDERR_FILENO);
    const bool has_bar = columns >= least_columns_with_bar;
    if (has_bar) {
        fmt::print(stderr, "{} ", styled(progress_bar(done, bar_columns, !has_utf8()), Style::curve, STDERR_FILENO));
    }
    const std::size_t beside = has_bar ? bar_columns + 1 : 0;
    const std::string shown = cut(line, columns - beside);
    fmt::print(stderr, "{}", shown);
    shown_columns_ = beside + shown.size();
}

void ProgressLine::print_line(const std::string& line) {
    clear();
    fmt::print(stderr, "{}\n", can_rewrite_ ? cut(line, terminal_columns(STDERR_FILENO)) : line);
}

void ProgressLine::clear() {
    if (shown_columns_ != 0) fmt::print(stderr, "\r{:{}}\r", "", shown_columns_);
    shown_columns_ = 0;
}

}  // namespace redtune::cli
