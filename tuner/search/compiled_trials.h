#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tuner/core/trial.h"
#include "tuner/search/compile_queue.h"

namespace redtune::search {

/// The trials of a cell whose kernels a compile queue has compiled. It remembers them, because a search asks for the
/// same trials many times.
class CompiledTrials {
  public:
    /// @param queue null: nothing is known to be compiled. Both must outlive the object.
    CompiledTrials(const CompileQueue* queue, std::span<const Trial> trials) : queue_(queue), trials_(trials) {}

    /// Returns whether trial i can be measured without waiting for a compiler.
    bool contains(std::size_t i);

    /// Returns whether trial i is compiled, or a compiler was asked for its kernels.
    bool will_contain(std::size_t i);

    /// Names the kernels of all trials, which takes some milliseconds. Unless it was called before, the first look-up
    /// does.
    void name_kernels();

  private:
    void look_up();

    const CompileQueue* queue_;
    std::span<const Trial> trials_;
    std::vector<std::string> kernels_;     ///< names, each once; empty before the first look-up
    std::vector<std::size_t> kernels_of_;  ///< for each trial, the index of its kernels
    std::vector<bool> is_compiled_;        ///< for each of kernels_
    std::size_t compilations_ = 0;         ///< of the queue at the last look-up
};

}  // namespace redtune::search
