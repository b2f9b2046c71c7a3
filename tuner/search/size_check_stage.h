#pragma once

#include <vector>

#include "db/store.h"
#include "tuner/search/cell_runner.h"

namespace redtune::search {

/// Measures the regret of look-ups: at sizes that were not tuned, times what a look-up picks next to the best that a
/// quick search finds there, and stores both. The sizes do not become tuned sizes. If several units measure, each
/// checks some of the sizes.
class SizeCheckStage {
  public:
    SizeCheckStage(const SweepContext& sweep, db::Store& store, const std::vector<Family>& families,
                   const SweepRequest& request)
        : sweep_(sweep), store_(store), families_(families), request_(request) {}

    /// Returns whether a size that the request asks to check has not been checked yet. The requested sizes and those
    /// between them must have been tuned before.
    static bool has_work(const Executor& executor, const db::Store& store, const std::vector<Family>& families,
                         const SweepRequest& request);

    /// Checks the sizes. Returns early if the sweep is to stop.
    /// @throws DeviceError if the device is lost
    void run();

  private:
    struct MissingCheck;
    static std::vector<MissingCheck> missing_checks(const Executor& executor, const db::Store& store,
                                                    const std::vector<Family>& families, const SweepRequest& request,
                                                    Regime regime);
    void run(const MissingCheck& check, Regime regime);

    SweepContext sweep_;
    db::Store& store_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
};

}  // namespace redtune::search
