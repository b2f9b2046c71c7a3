#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tuner/search/sweep.h"

namespace redtune::cli {

/// The sweeps of one problem on several devices at the same time: one for each model, which all units of the model
/// share. With one device it is a plain sweep.
class JobSweeps {
  public:
    /// @param executors one for each device, of any models
    /// @param labels what people read for each device
    /// All arguments except the request must outlive the object.
    JobSweeps(const std::vector<std::unique_ptr<search::Executor>>& executors, const std::vector<std::string>& labels,
              db::Store& store, const std::vector<Family>& families, const search::SweepRequest& request);

    /// The sweep of one model.
    struct Model {
        search::Executor* executor = nullptr;  ///< of the first unit
        std::vector<std::string> labels;       ///< of its units
        std::unique_ptr<search::Sweep> sweep;
    };
    const std::vector<Model>& models() const { return models_; }

    bool is_done() const;

    /// Measures, and shows the progress on stderr. The sweeps of several models have a thread each.
    /// @return the sums over all models
    /// @throws what Sweep::run() throws, after the sweeps of the other models have ended
    search::SweepResult run(const std::atomic<bool>& stop);

  private:
    std::mutex turn_;  ///< guards the store and what the sweeps print
    std::size_t devices_;
    std::vector<Model> models_;
};

}  // namespace redtune::cli
