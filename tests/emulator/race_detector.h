// Two accesses to one word, at least one a write, not both atomic, that nothing orders.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Compares with the accesses that the word remembers, then remembers this one. Returns the access that it races
/// with, or null; valid until the next call.
const AccessRecord* record_access(ShadowWord& word, const Thread& thread, const AccessRecord& access);

void report_race(const AccessRecord& now, const AccessRecord& before, const std::string& place);

}  // namespace emulator
