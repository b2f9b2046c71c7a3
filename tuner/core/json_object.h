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

/// Returns a number that JsonObject::number() reads back exactly, also one that is not finite.
Json number_to_json(double number);

/// Returns text that JsonObject::text() reads back, whatever its bytes are.
Json text_to_json(const std::string& text);

/// Reads the members of a JSON object and refuses what is missing, of the wrong kind, or not known.
class JsonObject {
  public:
    /// @param what for error messages: "a trial"
    /// @throws InputError if the text is not a JSON object.
    JsonObject(std::string_view json, std::string what);
    JsonObject(Json object, std::string what);

    // Each returns a member, and throws InputError if the object has none, or one of another kind.
    const Json& member(const char* key);
    bool boolean(const char* key);
    double number(const char* key);
    std::string text(const char* key);
    template <std::unsigned_integral Integer>
    Integer whole(const char* key) {
        return static_cast<Integer>(whole_up_to(key, std::numeric_limits<Integer>::max()));
    }

    /// Returns whether the object has this member.
    bool has(const char* key) const { return object_.contains(key); }

    /// Returns the elements of an array of numbers.
    std::vector<double> numbers(const char* key);

    /// @throws InputError if the object has a member that was not read.
    void finish() const;

    /// @throws InputError "a trial cannot be read: 'key' is VALUE; allowed is ALLOWED"
    [[noreturn]] void refuse(const char* key, const Json& value, std::string_view allowed) const;
    [[noreturn]] void fail(const std::string& why) const;

  private:
    std::uint64_t whole_up_to(const char* key, std::uint64_t most);

    std::string what_;
    Json object_;
    std::set<std::string> read_;
};

}  // namespace redtune
