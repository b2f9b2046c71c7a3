#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::report {

/// The table that `ncu --csv --page raw --print-units base` prints: a row for each launch that it profiled, in the
/// order of the launches.
class RawPage {
  public:
    /// @param output what ncu printed, with any lines before the table
    /// @throws InputError if there is no table in the text, or if it has no row
    explicit RawPage(std::string_view output);

    std::size_t launches() const { return rows_.size(); }

    /// Returns the text of a launch in a column; empty if there is no such column.
    std::string text(std::size_t launch, std::string_view column) const;

    /// Returns the number of a launch in a column, which may be the name of a metric; empty if there is no such column,
    /// or if the text is no finite number, such as "n/a".
    std::optional<double> number(std::size_t launch, std::string_view column) const;

  private:
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace redtune::report
