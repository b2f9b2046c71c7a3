#pragma once

#include <chrono>
#include <string>

#include "tuner/search/sweep.h"

namespace redtune::cli {

/// Shows on stderr where a sweep stands: one line that renews itself on a terminal; elsewhere a plain line for every
/// size that is done.
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

    using Clock = std::chrono::steady_clock;
    bool is_terminal_;
    bool has_line_ = false;
    bool said_compiled_ = false;
    Clock::time_point last_{};
};

/// "2m 05s"
std::string format_duration(double seconds);

}  // namespace redtune::cli
