#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "redtune/problem.h"

namespace redtune::report {

/// The number of CUDA streams in which the context has launched kernels before a comparison. After launches in several
/// streams every launch takes longer ("One stream or several" in docs/method.md).
enum class Streams : std::uint8_t { one, several };

std::string_view to_string(Streams streams) noexcept;
/// Returns the number of streams that is named "one" or "several".
/// @throws InputError with the allowed names.
Streams parse_streams(std::string_view name);

/// Returns the name of a pointer's offset from alignment, in elements: "aligned" for 0, else "1 off", "2 off" and so
/// on.
std::string alignment_name(std::uint64_t offset);

/// A reduction of one input, under one state of the process. Both sides of a comparison are timed on the same cell.
struct ComparedCell {
    std::string op;
    std::string dtype;
    std::string shape = "whole";  ///< "whole", "rows:LENGTH", or "columns:COUNT"
    std::uint64_t rows = 1;       ///< number of results; 1 for a whole array
    std::uint64_t n = 0;          ///< number of elements
    std::uint64_t bytes = 0;      ///< bytes of input
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;  ///< offset of the input's pointer from alignment, in elements
    Streams streams = Streams::one;
    std::string data = "uniform";  ///< name of the input's data (tuner/timing/data.h)

    friend auto operator<=>(const ComparedCell&, const ComparedCell&) = default;
};

/// Returns the cell of a problem with n elements.
ComparedCell compared_cell(const Problem& problem, std::uint64_t n, Regime regime, std::uint64_t offset,
                           Streams streams);

/// Returns the name of a cell without its streams: "sum f32 16KiB cold aligned", "max f16 rows:1000 4000KiB cold 1
/// off".
std::string name_of(const ComparedCell& cell);

}  // namespace redtune::report
