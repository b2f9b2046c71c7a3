#include "defects.h"

#include <tuple>

#include "launch_state.h"
#include "scheduler.h"

namespace emulator {

void Defects::reset(int most) {
    most_ = most;
    texts_.clear();
    sources_.clear();
    sites_.clear();
}

void Defects::add(const std::string& source, const std::string& text) {
    if (!full() && sources_.insert(source).second) texts_.push_back(text);
}

bool Defects::first_at(int kind, std::uint32_t site, std::uint32_t other_site) {
    return sites_.emplace(kind, site, other_site).second;
}

std::string name_of(std::uint32_t id) {
    return "block " + std::to_string(block_of(id)) + ", thread " + std::to_string(index_of(id));
}

std::string ranges(const std::vector<std::uint32_t>& sorted) {
    std::string text;
    for (std::size_t i = 0; i < sorted.size();) {
        std::size_t last = i;
        while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += std::to_string(sorted[i]);
        if (last > i) text += "-" + std::to_string(sorted[last]);
        i = last + 1;
    }
    return text;
}

std::string lanes_of(std::uint32_t mask) {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (mask >> lane & 1u) lanes.push_back(lane);
    }
    return ranges(lanes);
}

void report(const std::string& source, const std::string& text) {
    launch.defects.add(source, text);
    if (launch.defects.full()) abandon();
}

void report_fatal(const std::string& source, const std::string& text) {
    launch.defects.add(source, text);
    abandon();
}

}  // namespace emulator
