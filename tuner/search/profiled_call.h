#pragma once

namespace redtune::search {

/// A call as a profiler timed it: each of its launches alone, from the start of the kernel to its end.
struct ProfiledCall {
    double us = 0;     ///< sum over the launches
    int launches = 0;  ///< number of launches of the call

    friend bool operator==(const ProfiledCall&, const ProfiledCall&) = default;
};

}  // namespace redtune::search
