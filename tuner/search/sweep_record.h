#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/search/choose.h"
#include "tuner/search/effort.h"
#include "tuner/search/executor.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// The database's record of the current sweep. The constructor begins the record and the destructor ends it, even if
/// the sweep throws. All arguments must outlive it.
class SweepRecord {
  public:
    /// @param account counts the time that is spent on the database; null: nothing does
    SweepRecord(db::Store& store, const Executor& executor, const std::vector<Family>& families,
                const SweepRequest& request, timing::TimeAccount* account = nullptr);
    SweepRecord(const SweepRecord&) = delete;
    SweepRecord& operator=(const SweepRecord&) = delete;
    ~SweepRecord();

    /// Stores a measurement and commits it.
    /// @return its id
    std::int64_t add(const Cell& cell, const Trial& trial, const Measurement& measurement);

    /// Stores a finalist as the winner of its cell on the executor's unit, and updates the winner over all units.
    /// @param measurement the id of the finalist's measurement on the first kind of data
    /// @param effort the effort with which the cell was searched; nullopt: less than any
    void set_winner(const Cell& cell, const Trial& winner, std::int64_t measurement, const Choice& choice,
                    std::optional<Effort> effort);

    void add_size_check(const db::SizeCheck& check) { store_.add_size_check(id_, check); }

    /// Sets the status that the destructor stores: "finished" or "interrupted". Without this call it stores "failed".
    void set_final_status(const char* status) { status_ = status; }

  private:
    const db::SizeRange& candidate_range_of(const Cell& cell, const Trial& trial);

    db::Store& store_;
    DeviceInfo device_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
    timing::TimeAccount* account_;
    std::int64_t id_;
    std::map<std::string, db::SizeRange> candidate_ranges_;  ///< key: the text of regime and configuration
    const char* status_ = "failed";
};

}  // namespace redtune::search
