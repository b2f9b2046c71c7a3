#include "tuner/report/counters.h"

#include <algorithm>

#include "tuner/report/raw_page.h"

namespace redtune::report {

namespace {

/// Returns the name of a kernel in a signature: "tile_per_block" for
/// "void redtune::tile_per_block<redtune::Problem<...>, 128>(redtune::Arguments<T1>)".
std::string bare_name(std::string_view signature) {
    signature = signature.substr(0, std::min({signature.find('<'), signature.find('('), signature.size()}));
    const std::size_t begin = signature.find_last_of(" :");
    return std::string(begin == std::string_view::npos ? signature : signature.substr(begin + 1));
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
    const RawPage page(output);
    std::vector<Counters> launches(page.launches());
    for (std::size_t i = 0; i < launches.size(); ++i) {
        launches[i].kernel = bare_name(page.text(i, "Kernel Name"));
        for (const CounterColumn& column : counter_columns()) {
            if (const auto value = page.number(i, column.metric)) launches[i].*column.member = *value * column.scale;
        }
    }
    return launches;
}

}  // namespace redtune::report
