#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace redtune::db {

/// A measurement of a generated sweep.
struct Taken {
    int unroll;
    bool deterministic;
    std::uint64_t n;
    bool warm;
    int stage;
    int status;
    int time_us;
    int second;
    int data;  ///< index in kinds_of_data
};

/// A sweep that may be in several generated databases.
struct SweepSpec {
    int device;
    int unit;  ///< 0: unknown
    int problem;
    int code;
    int driver;
    int started;
    bool is_replay;
    std::vector<Taken> taken;
};

/// A part of a sweep that a generated database has.
struct Copy {
    std::size_t spec;
    std::size_t length;  ///< number of its measurements
    bool has_samples;    ///< whether measurements that did not win have samples
    bool is_finished;
};

/// Checks a property in RapidCheck's usual number of cases divided by `divisor`, because each case writes several
/// databases. Fails the current GoogleTest if the property does not hold.
void check_in_few_cases(const std::function<void()>& property, int divisor = 5);

/// Returns a few arbitrary sweeps. Must be called within a RapidCheck property.
std::vector<SweepSpec> any_sweeps();

/// Returns the arbitrary parts of sweeps that a database has. Must be called within a RapidCheck property.
std::vector<Copy> any_copies(const std::vector<SweepSpec>& sweeps);

/// Writes a database with copies of sweeps, their winners of units and the winners over units.
void write_database(const std::filesystem::path& file, const std::vector<SweepSpec>& sweeps,
                    const std::vector<Copy>& copies);

}  // namespace redtune::db
