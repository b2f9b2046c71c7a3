#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/catalog.h"
#include "redtune/reducer.h"
#include "redtune/selector.h"
#include "tuner/core/trial.h"
#include "tuner/runtime/current_device.h"
#include "tuner/runtime/prepared_kernels.h"
#include "tuner/runtime/wide_matrix.h"
#include "tuner/runtime/workspace_layout.h"

namespace redtune::runtime {

/// The largest workspace of a reducer whose options give no limit.
inline constexpr std::uint64_t default_max_workspace_bytes = std::uint64_t{1} << 20;

/// The configurations that a reducer uses, and the layout of the workspaces that they need. Any number of threads may
/// call the const members at once.
class Configurations {
  public:
    /// `device`, `kernels` and the catalog of the options must outlive the object.
    /// @throws DatabaseError if the catalog cannot be opened
    Configurations(const Problem& problem, const CurrentDevice& device, const PreparedKernels& kernels,
                   const ReducerOptions& options);

    /// Returns the configuration for n elements; empty if there is none. Takes no lock and allocates nothing.
    std::optional<Match> find(std::uint64_t n) const noexcept;
    /// Returns the configuration for an array of these extents, see Reducer::configuration(). Takes no lock and
    /// allocates nothing.
    std::optional<Match> find(const Extents& extents) const noexcept;
    std::string why_not(std::uint64_t n) const;

    /// Returns every configuration that find() returns for an n from `first` to `last`, each once, and those for as
    /// many elements in several matrices.
    /// @throws InputError, with the reasons, if there is none for one of these sizes
    std::vector<Match> between(std::uint64_t first, std::uint64_t last) const;

    /// Returns the configuration with these parameters for some n, for pin(). See Reducer::pin().
    /// @throws InputError if it is not legal
    Match match_of(std::string_view family, const std::vector<Parameter>& parameters);
    /// Uses the configuration of match_of() for every n from now on. layout() becomes that of this configuration.
    void pin(const Match& match);

    const WorkspaceLayout& layout() const noexcept { return layout_; }

  private:
    Match match_of(const Trial& trial, std::uint64_t n) const noexcept;
    std::optional<Match> find_for_matrices(const Extents& extents) const noexcept;

    Problem problem_;
    const CurrentDevice& device_;
    const PreparedKernels& kernels_;
    Regime regime_;
    std::uint64_t max_workspace_bytes_;
    Selector selector_;
    std::optional<WideMatrix> wide_;  // in place of several matrices
    WorkspaceLayout layout_;
    std::vector<std::unique_ptr<const Trial>> trials_;  // of match_of(); loaded kernels go by their rules
    const Trial* pinned_ = nullptr;
};

}  // namespace redtune::runtime
