// The list of defects that a launch has shown.
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
    /// Adds a defect unless one of the same kind at the same source lines is in the list.
    void add(const std::string& source, const std::string& text);
    bool full() const { return int(texts_.size()) >= most_; }
    /// Returns whether no defect of this kind at these sites was reported before; cheaper than looking up their lines.
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
/// Returns text such as "0-31, 40".
std::string ranges(const std::vector<std::uint32_t>& sorted);
std::string lanes_of(std::uint32_t mask);

/// Adds a defect and lets the launch go on, unless the list is full.
void report(const std::string& source, const std::string& text);
/// Adds a defect and ends the launch. Does not return to a thread of the kernel.
void report_fatal(const std::string& source, const std::string& text);

}  // namespace emulator
