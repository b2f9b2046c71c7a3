#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"
#include "tuner/timing/data_kind.h"

namespace redtune::timing {

/// The data of timed inputs: a kind, or the elements of a file. Copies share the elements.
struct Data {
    DataKind kind = DataKind::uniform;                         ///< unused for the data of a file
    std::shared_ptr<const std::vector<unsigned char>> values;  ///< elements of the input's type; null for a kind
    std::string name = "uniform";      ///< the kind's name, or "file:NAME@HASH" with a hash of the elements
    std::string argument = "uniform";  ///< what parse_data() read: the kind's name, or the path of the file

    bool is_uniform() const { return values == nullptr && kind == DataKind::uniform; }
};

Data data_of(DataKind kind);

/// Returns the assumption on the signs of the data's terms. For the data of a file it is TermSigns::structured, the
/// worst case, because nothing is known of their signs.
TermSigns signs_of(const Data& data);

/// A file must have at least this many elements: fewer are not the data of a large reduction.
inline constexpr std::size_t least_file_elements = 1024;

/// Returns the data with this name: a kind that the problem can have, or a file if the name has a slash or a dot. A
/// file holds nothing but elements of the problem's input type, in the byte order of this machine.
/// @throws InputError for an unknown kind or one that the problem cannot have, with those that it can; for a file that
/// is missing, empty, not whole elements, or has fewer than least_file_elements
Data parse_data(std::string_view name, const Problem& problem);

/// Returns the data of several names, without repeats; those of default_data_kinds() if there are no names.
/// @throws InputError as parse_data() does
std::vector<Data> parse_data_list(const std::vector<std::string>& names, const Problem& problem);

/// Returns the text for --help that lists the kinds.
std::string list_data_kinds();

}  // namespace redtune::timing
