#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tuner/search/child_process.h"
#include "tuner/search/unit_offer.h"

namespace redtune::search {

/// The part of a rank other than rank 0: for each of its units it connects to rank 0, starts a worker process whose
/// standard input is that connection, and does so again when the worker has ended. The worker answers rank 0 directly.
/// If rank 0 closes the connection, the worker is killed unless it ends soon; if the worker ends by itself, rank 0 is
/// told how. Returns when rank 0 has ended. Ignores the signals that end a sweep: rank 0 decides.
/// @param file,job where rank 0 is (rank_address.h)
/// @param units their tokens are filled in
/// @throws Error if rank 0 is not found within some time, or refuses the units
void serve_rank_0(const std::filesystem::path& file, const std::string& job, const std::vector<UnitOffer>& units,
                  const WorkerCommand& command);

}  // namespace redtune::search
