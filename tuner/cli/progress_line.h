#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tuner/search/sweep.h"

namespace redtune::cli {

/// Shows the progress of a sweep on stderr. On a terminal it rewrites one line that begins with a bar; spaces, not
/// escape codes, erase the line. Elsewhere, and on a dumb terminal, it prints one line for every size that is done,
/// with the counts of the sweep. With --quiet it shows only what was lost, and with --verbose also each new best
/// configuration.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// @param labels what people read for each unit of the sweep, if several units or several sweeps share the line;
    /// it then shows what each of them measures, and the sums of their counts. Not thread-safe.
    void show(const search::SweepProgress& progress, const std::vector<std::string>& labels = {});

  private:
    /// Prints the best configuration of the cell that is measured, if it is not the one that was printed last.
    void print_if_best(const search::SweepProgress& progress, const std::string& label);
    /// Returns the counts of all sweeps that share the line.
    search::SweepProgress sum_of_sweeps(const search::SweepProgress& progress, const std::vector<std::string>& labels);
    /// Returns the counts, and the cell that each unit measures.
    std::string describe_units(const search::SweepProgress& progress, const std::string& label,
                               const std::string& counts);
    /// Rewrites the current line, at most ten times a second. Prints nothing if lines cannot be rewritten.
    /// @param done the share of the work that is done, from 0 to 1
    void rewrite_line(double done, const std::string& line);
    /// Prints a line that later lines do not overwrite.
    void print_line(const std::string& line);
    void clear();

    using Clock = std::chrono::steady_clock;
    bool can_rewrite_;
    std::size_t shown_columns_ = 0;  ///< width of the current line; the next line overwrites it
    bool said_compiled_ = false;
    Clock::time_point last_{};
    std::map<std::string, search::SweepProgress> sweeps_;  ///< the latest progress of each sweep, by its first label
    std::map<std::string, std::string> cells_;             ///< what each unit measures, by its label
    std::map<std::string, std::string> shown_best_;        ///< what print_if_best() printed last, by label
    Clock::time_point measuring_since_{};  ///< when the first trial was measured; the initial value: not yet
};

/// Returns a duration rounded up to whole seconds: "42s", "2m 05s".
std::string format_duration(double seconds);

}  // namespace redtune::cli
