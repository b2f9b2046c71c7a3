#include "tuner/report/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "redtune/error.h"
#include "tuner/report/csv_fields.h"

namespace redtune::report {

namespace {

/// Returns the name of a kernel in a signature: "tile_per_block" for
/// "void redtune::tile_per_block<redtune::Problem<...>, 128>(redtune::Arguments<T1>)".
std::string bare_name(std::string_view signature) {
    signature = signature.substr(0, std::min({signature.find('<'), signature.find('('), signature.size()}));
    const std::size_t begin = signature.find_last_of(" :");
    return std::string(begin == std::string_view::npos ? signature : signature.substr(begin + 1));
}

/// Returns a metric's value; empty for a text that is no finite number, such as "n/a".
std::optional<double> parse_value(std::string text) {
    std::erase(text, ',');  // separates thousands
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc() && end == text.data() + text.size() && value - value == 0;
    return is_number ? std::optional(value) : std::nullopt;
}

}  // namespace

const std::vector<CounterColumn>& counter_columns() {
    constexpr double giga = 1e-9;
    constexpr double mega = 1e-6;
    // The metrics that NVIDIA names as the successors of nvprof's inst_per_warp, gld_transactions_per_request,
    // gst_transactions_per_request, gld_efficiency, gst_efficiency, gld_throughput, gst_throughput, dram_read_bytes,
    // stall_sync, stall_memory_dependency and achieved_occupancy; and Memory Throughput of the section Speed Of Light.
    static const std::vector<CounterColumn> columns = {
        {"instructions_per_warp", "instructions/warp", "smsp__average_inst_executed_per_warp.ratio", 1, 0,
         &Counters::instructions_per_warp},
        {"sectors_per_load", "sectors/load", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 1,
         1, &Counters::load_sectors},
        {"sectors_per_store", "sectors/store", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
         1, 1, &Counters::store_sectors},
        {"load_efficiency_percent", "load efficiency, %",
         "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 1, 1, &Counters::load_efficiency},
        {"store_efficiency_percent", "store efficiency, %",
         "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 1, 1, &Counters::store_efficiency},
        {"load_gb_per_s", "load, GB/s", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", giga, 0,
         &Counters::load_gb_per_s},
        {"store_gb_per_s", "store, GB/s", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", giga, 2,
         &Counters::store_gb_per_s},
        {"dram_read_mb", "DRAM read, MB", "dram__bytes_read.sum", mega, 1, &Counters::dram_read_mb},
        {"barrier_stall_percent", "barrier stall, %", "smsp__warp_issue_stalled_barrier_per_warp_active.pct", 1, 1,
         &Counters::barrier_stall_percent},
        {"memory_stall_percent", "memory stall, %", "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct", 1,
         1, &Counters::memory_stall_percent},
        {"occupancy_percent", "occupancy, %", "sm__warps_active.avg.pct_of_peak_sustained_active", 1, 1,
         &Counters::occupancy_percent},
        {"memory_percent", "memory system, %", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 1, 1,
         &Counters::memory_percent}};
    return columns;
}

std::string counter_metrics() {
    std::string metrics;
    for (const CounterColumn& column : counter_columns()) {
        if (!metrics.empty()) metrics += ',';
        metrics += column.metric;
    }
    return metrics;
}

std::vector<Counters> parse_counters(std::string_view output) {
    std::vector<std::string> names;
    std::vector<Counters> launches;
    while (!output.empty()) {
        const std::string_view line = take_line(output);
        if (names.empty() && !line.starts_with("\"ID\",")) continue;
        std::vector<std::string> fields = csv_fields(line);
        if (names.empty()) {
            names = std::move(fields);
            continue;
        }
        // The line below the names has the units, and no ID. Lines of ncu itself may follow the table.
        if (fields.size() != names.size() || fields.front().empty()) continue;
        const auto field = [&](std::string_view name) {
            const auto found = std::ranges::find(names, name);
            return found == names.end() ? std::string() : fields[static_cast<std::size_t>(found - names.begin())];
        };
        Counters& counters = launches.emplace_back();
        counters.kernel = bare_name(field("Kernel Name"));
        for (const CounterColumn& column : counter_columns()) {
            if (const auto value = parse_value(field(column.metric))) counters.*column.member = *value * column.scale;
        }
    }
    if (launches.empty()) throw InputError("Nsight Compute printed no counters");
    return launches;
}

}  // namespace redtune::report
