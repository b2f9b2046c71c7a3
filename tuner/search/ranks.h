#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace redtune::search {

/// The place of this process among those that mpirun or srun has started together.
struct Ranks {
    std::size_t rank = 0;   ///< the number of this process, from 0
    std::size_t count = 1;  ///< number of processes
    std::size_t local = 0;  ///< the number of this process among those on the same machine
    std::string job;        ///< the same text for all processes of one start; empty: unknown

    friend bool operator==(const Ranks&, const Ranks&) = default;
};

/// Returns the place that the environment states, as Open MPI, MPICH and its relatives, and srun of Slurm set it;
/// nullopt if this process was started alone.
/// @throws InputError for a variable that is not a number.
std::optional<Ranks> ranks_of_environment();

}  // namespace redtune::search
