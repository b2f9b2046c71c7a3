#pragma once

#include <chrono>
#include <string>

#include "tuner/search/sweep.h"

namespace redtune::cli {

/// Shows on stderr where a sweep stands: on a terminal one line that is written over, with spaces and without escape
/// codes; elsewhere, and on a dumb terminal, a plain line for every size that is done.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const search::SweepProgress& progress);

  private:
    void renew(const std::string& line);
    void keep(const std::string& line);
    void clear();

    using Clock = std::chrono::steady_clock;
    bool can_rewrite_;
    std::size_t shown_columns_ = 0;  ///< of the line that the next one replaces
    bool said_compiled_ = false;
    Clock::time_point last_{};
};

/// "2m 05s"
std::string format_duration(double seconds);

}  // namespace redtune::cli
