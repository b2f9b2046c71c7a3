#pragma once

#include "db/store.h"
#include "tuner/core/json_object.h"
#include "tuner/report/page_configurations.h"
#include "tuner/report/page_devices.h"
#include "tuner/report/page_problems.h"
#include "tuner/report/page_request.h"

namespace redtune::report {

/// The devices, problems and configurations of a page. The rows of its tables refer to them by index.
struct PageIndex {
    explicit PageIndex(std::span<const Family> families) : configurations(families) {}

    PageDevices devices;
    PageProblems problems;
    PageConfigurations configurations;
};

/// Returns the winners of all files, as a ColumnTable. The column `file` has the index of the winner's file among the
/// layers. The column `hidden` is 1 for a winner that look-ups do not find, because a winner of another file hides it.
Json winners_table(const PageRequest& request, PageIndex& index);

/// The sweeps of all files, and what was measured in them.
struct PageSweeps {
    Json sweeps;    ///< ColumnTable; the other tables name a sweep by its row here
    Json cells;     ///< list of {sweep, regime, n, data, stages, configurations, times_us}
    Json states;    ///< ColumnTable: clocks, temperature and power through each sweep
    Json failures;  ///< ColumnTable: failures by sweep, family, status and reason
    Json units;     ///< ColumnTable: the winners' times on each unit
};

/// Returns the sweeps of the selected devices and problems. Cells with few configurations are left out: they are the
/// finalists that were kept of a larger search.
PageSweeps sweep_tables(const PageRequest& request, PageIndex& index);

}  // namespace redtune::report
