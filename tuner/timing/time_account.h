#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tuner/core/measurement.h"

namespace redtune::timing {

/// The activities among which the wall time of a sweep is divided.
enum class Activity : std::uint8_t {
    check,      ///< computing the results that are expected, running kernels and comparing their results
    screening,  ///< timing candidates at the stage screen
    survivor,   ///< timing candidates at the stage survivor
    finalist,   ///< timing candidates at the stage final
    compile,    ///< waiting for the compiler
    prepare,    ///< loading modules, capturing graphs, allocating and filling inputs
    database    ///< reading and writing the database
};

inline constexpr std::array all_activities = {Activity::check,    Activity::screening, Activity::survivor,
                                              Activity::finalist, Activity::compile,   Activity::prepare,
                                              Activity::database};

/// Returns whether the GPU runs checks or timings during an activity.
bool keeps_gpu_busy(Activity activity) noexcept;

/// Returns the activity of timing candidates at a stage.
Activity timing_at(Stage stage) noexcept;

std::string_view to_string(Activity activity) noexcept;

/// Wall time by activity, in seconds.
struct TimeSpent {
    std::array<double, all_activities.size()> seconds{};

    double& operator[](Activity activity) { return seconds[static_cast<std::size_t>(activity)]; }
    double operator[](Activity activity) const { return seconds[static_cast<std::size_t>(activity)]; }
    TimeSpent& operator+=(const TimeSpent& other);
    friend bool operator==(const TimeSpent&, const TimeSpent&) = default;
};

/// Adds up the wall time of one thread by activity. It counts nothing before start(). Not thread-safe.
class TimeAccount {
  public:
    using Clock = std::chrono::steady_clock;

    /// A scope guard: the time of its life counts for an activity, except for the time of spans that begin and end
    /// meanwhile.
    class Span {
      public:
        /// @param account null: nothing is counted
        Span(TimeAccount* account, Activity activity);
        ~Span();
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;

      private:
        TimeAccount* account_;
        std::optional<Activity> outer_;
    };

    /// A scope guard: during its life, nothing is counted.
    class Pause {
      public:
        /// @param account null: no effect
        explicit Pause(TimeAccount* account);
        ~Pause();
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

      private:
        TimeAccount* account_;
    };

    /// Begins to count. Only the first call has an effect.
    void start();

    /// Counts some of the time of the activity that is going on for another one.
    void move(double seconds, Activity to);

    /// Returns when start() was called; nullopt if it was not.
    std::optional<Clock::time_point> started_at() const { return started_at_; }

    /// Returns the time that the spans since the last call took. No span may be open.
    TimeSpent take_spent();

  private:
    void change_to(std::optional<Activity> activity);

    std::optional<Clock::time_point> started_at_;
    std::optional<Activity> current_;
    bool is_paused_ = false;
    Clock::time_point since_;  ///< the time of `current_` is counted until here
    TimeSpent spent_;
};

}  // namespace redtune::timing
