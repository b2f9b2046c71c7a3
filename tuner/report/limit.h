#pragma once

#include <optional>
#include <string>

namespace redtune::report {

/// A reader is a kernel that reads an input and computes nothing else. This is the time of the fastest one.
struct Reader {
    double us = 0;
    std::string shape;  ///< launch shape of the kernel: "block=512, loads=8, grid=528"

    friend bool operator==(const Reader&, const Reader&) = default;
};

/// The parts of the limit, which is a lower bound on the time of any reduction of a cell's input on this device ("The
/// limit" in docs/method.md). Each part is the measured time of one call of a probe, by the same rules as a
/// reduction's.
struct Limit {
    double empty_us = 0;         ///< time of an empty kernel
    double load_us = 0;          ///< time of a kernel with one block that loads one element
    double handover_us = 0;      ///< time of a kernel in which a block loads one element and passes it to another block
    bool needs_handover = true;  ///< true: several blocks must combine their values, because there is one result
    std::optional<Reader> one_block;  ///< fastest reader with one block; empty if the input is too large for it
    std::optional<Reader> grid;       ///< fastest reader with several blocks; empty if the input is too small

    /// Returns the limit in microseconds: the lower of two bounds, one for a reduction by one block and one for a
    /// reduction by several blocks. `one_block` or `grid` must have a value.
    double us() const;
};

}  // namespace redtune::report
