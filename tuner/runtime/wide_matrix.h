#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "redtune/match.h"
#include "redtune/problem.h"
#include "redtune/selector.h"

namespace redtune::runtime {

/// The look-up for several matrices that one call reduces: a kernel for columns treats them like one matrix that is as
/// many times as wide, so they get the configuration of such a matrix.
class WideMatrix {
  public:
    /// A look-up for another number of columns.
    using Select = std::function<Selector(const Problem&)>;

    /// Returns the look-up for about `matrices` matrices; empty if their configuration is better chosen for one matrix
    /// alone: if their rows are so short that a warp's loads would be spread over several matrices, or if a
    /// configuration gives each matrix blocks of its own.
    static std::optional<WideMatrix> make(const Problem& problem, std::uint64_t matrices, const Select& select);

    /// Returns the configuration for matrices of these extents, with its launches; empty if there is none. Takes no
    /// lock and allocates nothing.
    std::optional<Match> find(const Extents& extents) const noexcept;

    /// Returns the problem of the wide matrix.
    const Problem& problem() const noexcept { return problem_; }
    const Selector& selector() const noexcept { return selector_; }

  private:
    WideMatrix(Problem problem, Selector selector);

    Problem problem_;
    Selector selector_;
};

}  // namespace redtune::runtime
