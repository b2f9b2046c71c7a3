#include "python/src/element_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace redtune::python {

namespace {

struct Named {
    std::string_view name;
    ElementType type;
};

constexpr std::array named_types = {
    Named{"bool", {Type::u8, true}},      Named{"int8", {Type::i8, false}},       Named{"uint8", {Type::u8, false}},
    Named{"int16", {Type::i16, false}},   Named{"uint16", {Type::u16, false}},    Named{"int32", {Type::i32, false}},
    Named{"uint32", {Type::u32, false}},  Named{"int64", {Type::i64, false}},     Named{"uint64", {Type::u64, false}},
    Named{"float16", {Type::f16, false}}, Named{"bfloat16", {Type::bf16, false}}, Named{"float32", {Type::f32, false}},
    Named{"float64", {Type::f64, false}},
};

}  // namespace

std::string_view name_of(ElementType type) noexcept {
    for (const Named& named : named_types) {
        if (named.type == type) return named.name;
    }
    return "";
}

std::optional<ElementType> find_element_type(std::string_view name) noexcept {
    for (const Named& named : named_types) {
        if (named.name == name || (!named.type.is_bool && to_string(named.type.type) == name)) return named.type;
    }
    return std::nullopt;
}

std::string element_type_names() {
    std::string names;
    for (const Named& named : named_types) names += fmt::format("{}{}", names.empty() ? "" : ", ", named.name);
    return names;
}

}  // namespace redtune::python
