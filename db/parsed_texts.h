#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace redtune::db {

/// Remembers what texts were parsed to. Many rows of a database have the same configuration, and parsing its text takes
/// several times as long as reading the row.
template <class Value>
class ParsedTexts {
  public:
    using Parse = Value (*)(std::string_view);

    /// The texts that are remembered. If there are more, all are forgotten.
    static constexpr std::size_t most = 16384;

    explicit ParsedTexts(Parse parse) : parse_(parse) {}

    /// Returns what `text` is parsed to. The reference is valid until the next call.
    /// @throws what the function throws that parses
    const Value& of(const std::string& text) {
        if (const auto found = values_.find(text); found != values_.end()) return found->second;
        Value value = parse_(text);
        if (values_.size() >= most) values_.clear();
        return values_.emplace(text, std::move(value)).first->second;
    }

  private:
    Parse parse_;
    std::unordered_map<std::string, Value> values_;
};

}  // namespace redtune::db
