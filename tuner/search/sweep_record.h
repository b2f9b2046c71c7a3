#pragma once

#include <cstdint>
#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/search/choose.h"
#include "tuner/search/executor.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// The database's record of a sweep under way. It begins with the constructor and ends with the destructor, however the
/// sweep ends. All arguments must outlive it.
class SweepRecord {
  public:
    SweepRecord(db::Store& store, const Executor& executor, const std::vector<Family>& families,
                const SweepRequest& request);
    SweepRecord(const SweepRecord&) = delete;
    SweepRecord& operator=(const SweepRecord&) = delete;
    ~SweepRecord();

    /// Stores a measurement; it is committed on return. @return its id
    std::int64_t add(const Cell& cell, const Trial& trial, const Measurement& measurement);

    /// Makes a finalist the winner of its cell.
    /// @param measurement the id of its last measurement
    void set_winner(const Cell& cell, const Trial& winner, std::int64_t measurement, const Choice& choice);

    /// Sets the status that the record ends with: "finished" or "interrupted". Without it the record says "failed".
    void end_as(const char* status) { status_ = status; }

  private:
    db::Store& store_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
    std::int64_t id_;
    const char* status_ = "failed";
};

}  // namespace redtune::search
