// Detects data races: two unordered accesses to one word, at least one of which is a write and not both of which are
// atomic.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Compares an access with the recorded accesses to the word, and records it. Returns a recorded access that it races
/// with, or null; the pointer is valid until the next call.
const AccessRecord* record_access(ShadowWord& word, const Thread& thread, const AccessRecord& access);

void report_race(const AccessRecord& now, const AccessRecord& before, const std::string& position);

}  // namespace emulator
