#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::report {

/// Hardware counters of one kernel launch, which Nsight Compute read. A counter is empty if the device does not have
/// it, or if it has no value for this kernel (the sectors of a store request in a kernel without stores).
struct Counters {
    std::string kernel;  ///< name without namespaces and template arguments
    std::optional<double> instructions_per_warp;
    std::optional<double> load_sectors;      ///< 32-byte sectors for each request of global loads
    std::optional<double> store_sectors;     ///< 32-byte sectors for each request of global stores
    std::optional<double> load_efficiency;   ///< bytes used of the bytes of the loaded sectors, in per cent
    std::optional<double> store_efficiency;  ///< bytes used of the bytes of the stored sectors, in per cent
    std::optional<double> load_gb_per_s;     ///< bytes that global loads request from L1, in 1e9 bytes per second
    std::optional<double> store_gb_per_s;    ///< bytes of global stores, in 1e9 bytes per second
    std::optional<double> dram_read_mb;      ///< read from device memory, in 1e6 bytes
    /// The busiest part of the memory system, caches included, in per cent of its peak.
    std::optional<double> memory_percent;
    std::optional<double> barrier_stall_percent;  ///< cycles of a warp that it waits at a barrier of its block
    std::optional<double> memory_stall_percent;   ///< cycles of a warp that it waits for a load
    std::optional<double> occupancy_percent;      ///< resident warps over the most that fit, average over active cycles
};

/// One member of Counters.
struct CounterColumn {
    std::string_view name;    ///< column in csv and md, and key in JSON
    std::string_view label;   ///< in tables for people
    std::string_view metric;  ///< name of the metric of Nsight Compute, in base units
    double scale = 1;         ///< the metric's value times this is the counter
    int decimals = 0;         ///< in md; tables for people have one
    std::optional<double> Counters::*member = nullptr;
};

/// Returns all counters, in the order of tables.
const std::vector<CounterColumn>& counter_columns();

/// Returns the metrics that Nsight Compute is asked for, separated by commas.
std::string counter_metrics();

/// Returns the counters of each launch, in the order of the launches.
/// @param output what `ncu --csv --page raw --print-units base` printed, with any lines before the table
/// @throws InputError if there is no table in the text, or if it has no row
std::vector<Counters> parse_counters(std::string_view output);

}  // namespace redtune::report
