#pragma once

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "db/space.h"
#include "db/store.h"
#include "tests/support/devices.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// The trials of a family with two parameters, of which one combination of values is missing.
class GridTrials : public ::testing::Test {
  protected:
    static constexpr const char* front_matter = R"(/*redtune
family = "grid"
[compile]
block = [32, 64, 128, 256]
unroll = [1, 2, 4]
[derived]
tile = "block * unroll"
where = ["block <> 64 or unroll <> 2"]
*/)";

    GridTrials() {
        for (const Candidate& candidate :
             db::candidates(family(), test_support::h200(), make_problem("sum", Type::f32), 1 << 20)) {
            trials_.push_back(candidate);
        }
    }

    const Family& family() const { return families_.front(); }

    std::size_t index(int block, int unroll) const {
        for (std::size_t i = 0; i < trials_.size(); ++i) {
            if (name(i) == "grid(block=" + std::to_string(block) + ", unroll=" + std::to_string(unroll) + ")") return i;
        }
        throw std::logic_error("no such trial");
    }
    std::string name(std::size_t i) const { return to_string(trials_[i].configuration); }
    std::set<std::string> names(const std::vector<std::size_t>& indexes) const {
        std::set<std::string> result;
        for (const std::size_t i : indexes) result.insert(name(i));
        return result;
    }
    /// Returns the same trial of another family.
    static Trial of_family(Trial trial, const std::string& family) {
        trial.configuration.family = family;
        return trial;
    }

    std::vector<Family> families_ = parse_families("grid.cuh", front_matter);
    std::vector<Trial> trials_;
};

}  // namespace redtune::search
