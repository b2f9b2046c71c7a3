// The list of what went wrong, in CUDA's words.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace emulator {

struct Thread;

class Defects {
  public:
    void reset(int most);
    /// Adds the text unless the same kind at the same places is there already.
    void add(const std::string& source, const std::string& text);
    bool full() const { return int(texts_.size()) >= most_; }
    /// The same question for sites, before they are turned into lines.
    bool first_at(int kind, std::uint32_t site, std::uint32_t other_site);
    const std::vector<std::string>& texts() const { return texts_; }

  private:
    int most_ = 0;
    std::vector<std::string> texts_;
    std::set<std::string> sources_;
    std::set<std::tuple<int, std::uint32_t, std::uint32_t>> sites_;
};

/// "block 2, thread 5".
std::string name_of(std::uint32_t thread_id);
/// "0-31, 40".
std::string ranges(const std::vector<std::uint32_t>& sorted);
std::string lanes_of(std::uint32_t mask);

/// Adds a defect that the launch survives; abandons the launch once there are enough.
void report(const std::string& source, const std::string& text);
/// Adds a defect and ends the launch. Does not return when a kernel's thread calls it.
void report_fatal(const std::string& source, const std::string& text);

}  // namespace emulator
