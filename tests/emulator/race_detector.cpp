#include "race_detector.h"

#include "bulk_copies.h"
#include "happens_before.h"
#include "source_lines.h"

namespace emulator {

namespace {

bool conflict(const AccessRecord& a, const AccessRecord& b) {
    return (a.write || b.write) && !(a.atomic && b.atomic) && (a.mask & b.mask) != 0;
}

// Returns whether every later access that races with `before` also races with `now`.
bool supersedes(const AccessRecord& now, const AccessRecord& before) {
    return (before.mask & ~now.mask) == 0 && (now.write || !before.write) && (!now.atomic || before.atomic);
}

// Returns the index of the record to replace. It chooses a read rather than a write, and preferably a read by the same
// warp: reads by different warps are more likely to include one that is unordered with a later write.
int index_to_replace(const ShadowWord& word, const AccessRecord& now) {
    int read = -1;
    for (int i = 0; i < word.used; ++i) {
        if (word.recent[i].write) continue;
        if (word.recent[i].thread / 32 == now.thread / 32) return i;
        if (read < 0 || launch.random.one_in(2)) read = i;
    }
    return read >= 0 ? read : int(launch.random.below(word.used));
}

std::string verb(const AccessRecord& access, bool past) {
    if (access.atomic) return access.write ? (past ? "updated" : "atomically updates") : (past ? "loaded" : "loads");
    if (past) return access.write ? "wrote" : "read";
    return access.write ? "writes" : "reads";
}

bool is_copy(const AccessRecord& access) {
    return is_transfer(access.thread) && !is_async_store(access.thread);
}

std::string actor(const AccessRecord& access) {
    if (is_async_store(access.thread)) return "an asynchronous store";
    return is_copy(access) ? "a bulk copy" : name_of(access.thread);
}

}  // namespace

const AccessRecord* record_access(ShadowWord& word, const Thread& thread, const AccessRecord& access) {
    static AccessRecord raced;
    const AccessRecord* race = nullptr;
    int kept = 0;
    for (int i = 0; i < word.used; ++i) {
        const AccessRecord before = word.recent[i];
        if (before.epoch < launch.first_epoch) continue;  // belongs to an earlier launch
        const bool in_order = ordered(thread, before);
        if (!in_order && conflict(access, before)) {
            raced = before;
            race = &raced;
        }
        if (!in_order || !supersedes(access, before)) word.recent[kept++] = before;
    }
    word.used = std::uint8_t(kept);
    const int at = kept < ShadowWord::most_records ? word.used++ : index_to_replace(word, access);
    word.recent[at] = access;
    return race;
}

void report_race(const AccessRecord& now, const AccessRecord& before, const std::string& position) {
    if (!launch.defects.first_at('r', now.site, before.site)) return;
    const std::vector<std::string> lines = source_lines({now.site, before.site});
    const bool swap = lines[1] < lines[0];
    std::string order;
    if (is_async_store(now.thread) || is_async_store(before.thread)) {
        order = "no wait_barrier() or cluster barrier orders the two";
    } else if (is_copy(now) || is_copy(before)) {
        order = "no wait_barrier() or __syncthreads() between";
    } else if (block_of(now.thread) / launch.shape.cluster == block_of(before.thread) / launch.shape.cluster &&
               block_of(now.thread) != block_of(before.thread)) {
        order = "no cluster barrier orders the two: one must arrive after its access, the other wait before its own";
    } else if (block_of(now.thread) != block_of(before.thread)) {
        order = "no release and acquire between the blocks orders the two";
    } else if (now.thread / 32 == before.thread / 32) {
        order = "no __syncwarp() or __syncthreads() between";
    } else {
        order = "no __syncthreads() between";
    }
    report("race " + lines[swap ? 1 : 0] + " " + lines[swap ? 0 : 1],
           "race: " + actor(now) + " " + verb(now, false) + " " + position + " (" + lines[0] + ") that " +
               actor(before) + " " + verb(before, true) + " (" + lines[1] + "); " + order);
}

}  // namespace emulator
