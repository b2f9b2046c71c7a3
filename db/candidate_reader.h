#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "db/space_table.h"
#include "tuner/core/trial.h"

namespace redtune::db {

/// Builds candidates from the rows of a SpaceTable.
class CandidateReader {
  public:
    CandidateReader(const Family& family, const SpaceTable& table, std::uint32_t sm_count)
        : family_(family), table_(table), sm_count_(sm_count) {}

    /// Returns the candidate of a row.
    /// @throws InputError "path:line: what is wrong", with the line of the value that is wrong
    Candidate read(const RowReader& row) const;

  private:
    /// Returns the launch rule of a row.
    LaunchRule read_rule(const RowReader& row) const;
    /// Reads the members of `rule` that its grid rule uses.
    void read_grid(const RowReader& row, LaunchRule& rule) const;
    /// Returns the line in the family's file of the derived value or parameter of this name; 1 if the file has none.
    int line_of(std::string_view name) const;
    /// Returns a launch value as an integer.
    std::int64_t integer(const RowReader& row, std::string_view name) const;
    /// Returns a launch value as text; `otherwise` if the family does not define it.
    std::string text(const RowReader& row, std::string_view name, std::string_view otherwise) const;

    const Family& family_;
    const SpaceTable& table_;
    std::uint32_t sm_count_;
};

}  // namespace redtune::db
