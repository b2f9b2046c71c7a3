#include "tuner/search/ranks.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "redtune/error.h"
#include "tuner/core/environment.h"

namespace redtune::search {

namespace {

/// The names of the variables of a launcher.
struct Launcher {
    const char* rank;
    const char* count;
    const char* local;
    std::array<const char*, 2> job;  ///< together they name a start; a null pointer: none
};

// srun sets the number of tasks of a step only for the processes that it starts. A script of sbatch has SLURM_PROCID
// too, but not this number.
constexpr std::array launchers = {
    Launcher{"OMPI_COMM_WORLD_RANK",
             "OMPI_COMM_WORLD_SIZE",
             "OMPI_COMM_WORLD_LOCAL_RANK",
             {"OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE"}},
    Launcher{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
    Launcher{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", {"PMI_JOBID", nullptr}},
};

std::size_t number_in(const char* name, const std::string& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    throw InputError(
        fmt::format("the environment variable {} is '{}'; it must be a whole number, as mpirun and srun "
                    "set it. Unset it to tune with one process",
                    name, text));
}

}  // namespace

std::optional<Ranks> ranks_of_environment() {
    for (const Launcher& launcher : launchers) {
        const auto rank = environment_variable(launcher.rank);
        const auto count = environment_variable(launcher.count);
        if (!rank || !count) continue;
        Ranks ranks{number_in(launcher.rank, *rank), number_in(launcher.count, *count), 0, {}};
        if (ranks.count < 2) return std::nullopt;
        const auto local = environment_variable(launcher.local);
        ranks.local = local ? number_in(launcher.local, *local) : ranks.rank;
        for (const char* name : launcher.job) {
            if (name != nullptr) ranks.job += environment_variable(name).value_or("") + " ";
        }
        return ranks;
    }
    return std::nullopt;
}

}  // namespace redtune::search
