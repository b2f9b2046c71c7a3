#pragma once

#include <string>
#include <vector>

#include "tuner/core/json_object.h"

namespace redtune::report {

/// A table that is written as compact JSON, column by column. report_data.js reads it back.
class ColumnTable {
  public:
    explicit ColumnTable(std::vector<std::string> names) : names_(std::move(names)), columns_(names_.size()) {}

    /// Adds a row with a value (null, a number or a text) for each column.
    void add(std::vector<Json> row);

    std::size_t size() const { return rows_; }

    /// Returns {"rows": count, "columns": {name: column}}. A column whose values are all equal is {"all": value}. A
    /// column with texts is {"words": [distinct texts], "of": [index of each row's text, or -1 for null]}. Any other
    /// column is the list of its values.
    Json json() const;

  private:
    std::vector<std::string> names_;
    std::vector<std::vector<Json>> columns_;
    std::size_t rows_ = 0;
};

/// Returns the number rounded to 5 significant digits, the precision with which samples are stored.
double rounded(double number);

}  // namespace redtune::report
