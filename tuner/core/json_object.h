#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

using Json = nlohmann::ordered_json;

/// Returns a number as a JSON value that JsonObject::number() reads back exactly. The number may be infinite or NaN.
Json number_to_json(double number);

/// Returns text as a JSON value that JsonObject::text() reads back exactly. The text need not be UTF-8.
Json text_to_json(const std::string& text);

/// Reads the members of a JSON object. Throws InputError for a member that is missing, unknown or of the wrong type.
class JsonObject {
  public:
    /// @param what the name of the object in error messages: "a trial"
    /// @throws InputError if the text is not a JSON object.
    JsonObject(std::string_view json, std::string what);
    JsonObject(Json object, std::string what);

    // Each of these functions returns the member `key`. They throw InputError if the object has no such member or the
    // member has another type.
    const Json& member(const char* key);
    bool boolean(const char* key);
    double number(const char* key);
    std::string text(const char* key);
    template <std::unsigned_integral Integer>
    Integer whole_number(const char* key) {
        return static_cast<Integer>(whole_number_up_to(key, std::numeric_limits<Integer>::max()));
    }

    /// Returns whether the object has this member.
    bool has(const char* key) const { return object_.contains(key); }

    /// Returns the elements of the member `key`, an array of numbers.
    std::vector<double> numbers(const char* key);

    /// Checks, after all reads, that every member of the object was read.
    /// @throws InputError if a member was not read, because no reader knows it.
    void check_all_read() const;

    /// Throws InputError "a trial cannot be read: 'key' is VALUE; allowed is ALLOWED".
    [[noreturn]] void refuse(const char* key, const Json& value, std::string_view allowed) const;
    [[noreturn]] void fail(const std::string& why) const;

  private:
    /// Returns the member `key`, a whole number from 0 to `most`.
    std::uint64_t whole_number_up_to(const char* key, std::uint64_t most);

    std::string what_;
    Json object_;
    std::set<std::string> read_;
};

}  // namespace redtune
