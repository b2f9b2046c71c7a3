#include "tuner/core/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace redtune {

namespace {

struct Synonym {
    std::string_view typed;
    std::string_view name;
};

/// Names of types, operators, regimes and families that other libraries use, or that earlier versions of redtune used.
constexpr Synonym synonyms[] = {{"float", "f32"},
                                {"single", "f32"},
                                {"float32", "f32"},
                                {"fp32", "f32"},
                                {"double", "f64"},
                                {"float64", "f64"},
                                {"fp64", "f64"},
                                {"half", "f16"},
                                {"float16", "f16"},
                                {"fp16", "f16"},
                                {"bfloat16", "bf16"},
                                {"bfloat", "bf16"},
                                {"int", "i32"},
                                {"int8", "i8"},
                                {"int16", "i16"},
                                {"int32", "i32"},
                                {"int64", "i64"},
                                {"long", "i64"},
                                {"short", "i16"},
                                {"char", "i8"},
                                {"unsigned", "u32"},
                                {"uint", "u32"},
                                {"uint8", "u8"},
                                {"byte", "u8"},
                                {"uint16", "u16"},
                                {"uint32", "u32"},
                                {"uint64", "u64"},
                                {"add", "sum"},
                                {"plus", "sum"},
                                {"total", "sum"},
                                {"prod", "product"},
                                {"mul", "product"},
                                {"multiply", "product"},
                                {"avg", "mean"},
                                {"average", "mean"},
                                {"minimum", "min"},
                                {"maximum", "max"},
                                {"norm", "l2_norm"},
                                {"norm1", "l1_norm"},
                                {"norm2", "l2_norm"},
                                {"and", "bit_and"},
                                {"or", "bit_or"},
                                {"xor", "bit_xor"},
                                {"inner_product", "dot"},
                                {"sumsq", "sum_of_squares"},
                                {"hot", "warm"},
                                {"stream", "back_to_back"},
                                {"stream", "grid_stride_wide"},
                                {"rows_stream", "rows_wide"}};

/// Returns the name in lower case and with '_' for '-'.
std::string normalised(std::string_view name) {
    std::string text(name);
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == '-') c = '_';
    }
    return text;
}

/// Returns the name that begins with `beginning` if there is exactly one; else an empty string.
std::string only_name_that_begins_with(std::string_view beginning, const std::vector<std::string>& names) {
    constexpr std::size_t shortest = 2;
    if (beginning.size() < shortest) return {};
    const auto begins = [&](const std::string& name) { return normalised(name).starts_with(beginning); };
    if (std::count_if(names.begin(), names.end(), begins) != 1) return {};
    return *std::find_if(names.begin(), names.end(), begins);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // rows[i % 3][j] is the distance between the first i letters of a and the first j letters of b.
    std::array<std::vector<std::size_t>, 3> rows;
    for (auto& row : rows) row.resize(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto& row = rows[i % 3];
        const auto& above = rows[(i - 1) % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
            const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swap) row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
        }
    }
    return rows[a.size() % 3][b.size()];
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& names) {
    const std::string wanted = normalised(typed);
    for (const Synonym& synonym : synonyms) {
        if (synonym.typed == wanted && std::find(names.begin(), names.end(), synonym.name) != names.end()) {
            return std::string(synonym.name);
        }
    }
    if (std::string name = only_name_that_begins_with(wanted, names); !name.empty()) return name;
    std::string nearest;
    std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    for (const std::string& name : names) {
        const std::size_t distance = edit_distance(wanted, normalised(name));
        // A short name is not near if every letter of it would have to be replaced.
        if (distance < least && distance < std::max(wanted.size(), name.size())) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
    const std::string name = nearest_name(typed, names);
    return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

}  // namespace redtune
