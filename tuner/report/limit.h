#pragma once

#include <optional>
#include <string>

namespace redtune::report {

/// The time of the fastest kernel that reads an input and does nothing else with it.
struct Reader {
    double us = 0;
    std::string shape;  ///< "block=512, loads=8, grid=528"

    friend bool operator==(const Reader&, const Reader&) = default;
};

/// The parts of the limit: the time that no reduction of a cell's input can go below on this device ("The limit" in
/// docs/method.md). Each part is the measured time of one call of a probe, by the same rules as a reduction's.
struct Limit {
    double empty_us = 0;         ///< an empty kernel
    double load_us = 0;          ///< one block that loads one element
    double handover_us = 0;      ///< a block that loads one element and hands it over to another block
    bool needs_handover = true;  ///< a grid of several blocks must combine their values, because there is one result
    std::optional<Reader>
        one_block;               ///< the fastest reader of one block; empty if the input is too large for one block
    std::optional<Reader> grid;  ///< the fastest reader of several blocks; empty if the input is too small for them

    /// Returns the limit: the lower of the times in which one block and in which several blocks could reduce the input.
    /// At least one of the readers must be there.
    double us() const;
};

}  // namespace redtune::report
