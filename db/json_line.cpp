#include "db/json_line.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "redtune/error.h"

namespace redtune::db {

namespace {

/// Sees the parts of a JSON text while it is parsed, and throws InputError for what other readers may understand
/// differently (two members of one name) or cannot read (deep nesting).
class LineParts {
  public:
    bool operator()(int depth, Json::parse_event_t event, Json& part) {
        constexpr int deepest = 16;
        if (depth > deepest) throw InputError(fmt::format("it is nested more than {} levels deep", deepest));
        if (event == Json::parse_event_t::object_start) members_.emplace_back();
        if (event == Json::parse_event_t::object_end) members_.pop_back();
        if (event == Json::parse_event_t::key && !members_.back().insert(part.get<std::string>()).second) {
            throw InputError(fmt::format("it has two members {}", part.dump()));
        }
        return true;
    }

  private:
    std::vector<std::set<std::string>> members_;  ///< of the objects that the current part is in
};

}  // namespace

bool read_json_line(std::istream& in, std::string& line) {
    line.clear();
    std::streambuf& buffer = *in.rdbuf();
    constexpr auto end = std::istream::traits_type::eof();
    auto next = buffer.sbumpc();
    if (next == end) return false;
    for (; next != end && next != '\n'; next = buffer.sbumpc()) {
        if (line.size() <= longest_json_line) line += static_cast<char>(next);
    }
    return true;
}

Json parse_json_line(std::string_view line) {
    if (line.size() > longest_json_line) {
        throw InputError(fmt::format("the line is longer than {} bytes", longest_json_line));
    }
    LineParts parts;
    try {
        Json object = Json::parse(
            line, [&](int depth, Json::parse_event_t event, Json& part) { return parts(depth, event, part); });
        if (!object.is_object()) throw InputError("the line is no JSON object");
        return object;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("the line is no JSON object: {}", error.what()));
    }
}

}  // namespace redtune::db
