// The list of defects that a launch has had.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace emulator {

struct Thread;

/// The defects of one launch, at most as many as reset() allows.
class Defects {
  public:
    void reset(int most);
    /// Adds the defect `text` unless one with the same `source` is in the list. source: the defect's kind and source
    /// lines.
    void add(const std::string& source, const std::string& text);
    bool full() const { return int(texts_.size()) >= most_; }
    /// Returns whether this is the first defect of its kind at these sites. This is cheaper than looking up source
    /// lines.
    bool first_at(int kind, std::uint32_t site, std::uint32_t other_site);
    const std::vector<std::string>& texts() const { return texts_; }

  private:
    int most_ = 0;
    std::vector<std::string> texts_;
    std::set<std::string> sources_;
    std::set<std::tuple<int, std::uint32_t, std::uint32_t>> sites_;
};

/// Returns text such as "block 2, thread 5".
std::string name_of(std::uint32_t thread_id);
/// Returns text such as "0-31, 40" for numbers in ascending order.
std::string ranges(const std::vector<std::uint32_t>& sorted);
std::string lanes_of(std::uint32_t mask);

/// Adds a defect to the running launch, which ends if the list is then full. source: see Defects::add().
void report(const std::string& source, const std::string& text);
/// Adds a defect to the running launch and ends the launch. Does not return to a thread of the kernel.
void report_fatal(const std::string& source, const std::string& text);

}  // namespace emulator
