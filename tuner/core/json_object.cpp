#include "tuner/core/json_object.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "redtune/error.h"

namespace redtune {

namespace {

constexpr std::string_view hexadecimal = "0123456789abcdef";

bool is_utf8(const std::string& text) {
    try {
        static_cast<void>(Json(text).dump());
        return true;
    } catch (const Json::exception&) {
        return false;
    }
}

/// Returns the bytes that a value {"hex": "ff00"} stands for; nullopt for any other value.
std::optional<std::string> bytes_from_json(const Json& value) {
    if (!value.is_object() || value.size() != 1 || !value.contains("hex") || !value["hex"].is_string()) return {};
    const auto digits = value["hex"].get<std::string>();
    if (digits.size() % 2 != 0) return {};
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const std::size_t high = hexadecimal.find(digits[i]);
        const std::size_t low = hexadecimal.find(digits[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) return {};
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
}

/// Returns the number that number_to_json() wrote as this value; nullopt for any other value.
std::optional<double> number_from_json(const Json& value) {
    if (value.is_number()) return value.get<double>();
    if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

}  // namespace

Json number_to_json(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    return number;
}

Json text_to_json(const std::string& text) {
    if (is_utf8(text)) return text;
    std::string digits;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        digits += {hexadecimal[value / 16], hexadecimal[value % 16]};
    }
    Json bytes = Json::object();
    bytes["hex"] = digits;
    return bytes;
}

JsonObject::JsonObject(std::string_view json, std::string what) : what_(std::move(what)) {
    try {
        object_ = Json::parse(json);
    } catch (const Json::exception& error) {
        fail(error.what());
    }
    if (!object_.is_object()) fail("it is not a JSON object");
}

JsonObject::JsonObject(Json object, std::string what) : what_(std::move(what)), object_(std::move(object)) {
    if (!object_.is_object()) fail("it is not a JSON object");
}

const Json& JsonObject::member(const char* key) {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(fmt::format("it has no '{}'", key));
    read_.insert(key);
    return *found;
}

bool JsonObject::boolean(const char* key) {
    const Json& value = member(key);
    if (!value.is_boolean()) refuse(key, value, "true or false");
    return value.get<bool>();
}

double JsonObject::number(const char* key) {
    const Json& value = member(key);
    const std::optional<double> number = number_from_json(value);
    if (!number) refuse(key, value, "a number, 'nan', 'inf' or '-inf'");
    return *number;
}

std::vector<double> JsonObject::numbers(const char* key) {
    const Json& value = member(key);
    if (!value.is_array()) refuse(key, value, "an array of numbers");
    std::vector<double> numbers;
    for (const Json& element : value) {
        const std::optional<double> number = number_from_json(element);
        if (!number) refuse(key, element, "an array of numbers, 'nan', 'inf' or '-inf'");
        numbers.push_back(*number);
    }
    return numbers;
}

std::string JsonObject::text(const char* key) {
    const Json& value = member(key);
    if (value.is_string()) return value.get<std::string>();
    const std::optional<std::string> bytes = bytes_from_json(value);
    if (!bytes) refuse(key, value, "text, or {\"hex\": \"an even number of lower-case digits\"}");
    return *bytes;
}

void JsonObject::check_all_read() const {
    for (const auto& [key, value] : object_.items()) {
        if (!read_.contains(key)) fail(fmt::format("'{}' is not known", key));
    }
}

void JsonObject::refuse(const char* key, const Json& value, std::string_view allowed) const {
    fail(fmt::format("'{}' is {:.200}; allowed is {}", key, value.dump(), allowed));
}

void JsonObject::fail(const std::string& why) const {
    throw InputError(fmt::format("{} cannot be read: {}", what_, why));
}

std::uint64_t JsonObject::whole_number_up_to(const char* key, std::uint64_t most) {
    const Json& value = member(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
        refuse(key, value, fmt::format("a whole number from 0 to {}", most));
    }
    return value.get<std::uint64_t>();
}

}  // namespace redtune
