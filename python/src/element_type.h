#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "redtune/problem.h"

namespace redtune::python {

/// The type of an array's elements as Python libraries have it: one of redtune's types, or bool, whose elements are
/// bytes that are 0 or 1 and which kernels read and write as u8.
struct ElementType {
    Type type = Type::f32;  ///< u8 for bool
    bool is_bool = false;

    friend bool operator==(const ElementType&, const ElementType&) = default;
};

/// Returns the array API's name of the type: "float32", "bfloat16", "bool".
std::string_view name_of(ElementType type) noexcept;

/// Returns the type with this name of the array API, or with one of redtune's names ("f32"); empty if there is none.
std::optional<ElementType> find_element_type(std::string_view name) noexcept;

/// Returns the array API's names of all types, for messages.
std::string element_type_names();

}  // namespace redtune::python
