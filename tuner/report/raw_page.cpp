#include "tuner/report/raw_page.h"

#include <algorithm>
#include <charconv>

#include "redtune/error.h"
#include "tuner/report/csv_fields.h"

namespace redtune::report {

RawPage::RawPage(std::string_view output) {
    while (!output.empty()) {
        const std::string_view line = take_line(output);
        if (names_.empty() && !line.starts_with("\"ID\",")) continue;
        std::vector<std::string> fields = csv_fields(line);
        if (names_.empty()) {
            names_ = std::move(fields);
            continue;
        }
        // The line below the names has the units, and no ID. Lines of ncu itself may follow the table.
        if (fields.size() == names_.size() && !fields.front().empty()) rows_.push_back(std::move(fields));
    }
    if (rows_.empty()) throw InputError("Nsight Compute printed no counters");
}

std::string RawPage::text(std::size_t launch, std::string_view column) const {
    const auto found = std::ranges::find(names_, column);
    return found == names_.end() ? std::string() : rows_.at(launch)[static_cast<std::size_t>(found - names_.begin())];
}

std::optional<double> RawPage::number(std::size_t launch, std::string_view column) const {
    std::string digits = text(launch, column);
    std::erase(digits, ',');  // separates thousands
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_number = error == std::errc() && end == digits.data() + digits.size() && value - value == 0;
    return is_number ? std::optional(value) : std::nullopt;
}

}  // namespace redtune::report
