#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/search/executor.h"

namespace redtune::search {

/// Lets several threads, each with a compiler of its own, compile into the same cache, but each kernel only once.
class SharedCompilation {
  public:
    /// @param families those of the trials; must outlive the object
    explicit SharedCompilation(const std::vector<Family>& families) : families_(families) {}

    /// Compiles the trials' kernels that no thread has begun to compile, some at a time, with the calling thread's
    /// compiler, then waits until the other threads have compiled the rest. A kernel that its thread does not compile,
    /// because its compiler fails or is stopped, is left to the executor that measures.
    /// @param progress counts the kernels that this call compiles; it is called at the end of every part, too, when
    /// has_compiled() knows of the part
    void prepare(Executor& compiler, std::span<const Trial> trials,
                 const std::function<void(const PrepareProgress&)>& progress, const std::atomic<bool>& stop);

    /// Returns whether a compilation of the trial's kernels has ended.
    bool has_compiled(const Trial& trial) const;

  private:
    class Claim;

    const std::vector<Family>& families_;
    mutable std::mutex mutex_;
    std::condition_variable ended_;
    std::set<std::string> begun_;    ///< names of all kernels whose compilation has begun
    std::set<std::string> in_work_;  ///< those whose compilation has not ended
};

}  // namespace redtune::search
