#include "tuner/timing/data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "redtune/error.h"
#include "tuner/core/hash.h"

namespace redtune::timing {

namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
    throw InputError(fmt::format("--data {}: {}", path, why));
}

std::vector<unsigned char> read_file(const std::string& path) {
    if (std::error_code none; std::filesystem::is_directory(path, none)) {
        refuse_file(path, "it is a folder; give a file of elements");
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) refuse_file(path, fmt::format("the file cannot be read: {}", std::strerror(errno)));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Data data_of_file(const std::string& path, const Problem& problem) {
    const std::uint64_t element = size_of(problem.input);
    auto bytes = std::make_shared<std::vector<unsigned char>>(read_file(path));
    if (bytes->empty()) refuse_file(path, "the file is empty; give a file of elements");
    if (bytes->size() % element != 0) {
        refuse_file(path, fmt::format("its {} bytes are not whole elements of {}; give a multiple of {}", bytes->size(),
                                      to_string(problem.input), element));
    }
    if (bytes->size() / element < least_file_elements) {
        refuse_file(path, fmt::format("it has {} elements of {}; give {} or more", bytes->size() / element,
                                      to_string(problem.input), least_file_elements));
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    Data data;
    data.name =
        fmt::format("file:{}@{}", std::filesystem::path(path).filename().string(), content_hash(text).substr(0, 8));
    data.argument = path;
    data.values = std::move(bytes);
    return data;
}

}  // namespace

Data data_of(DataKind kind) {
    Data data;
    data.kind = kind;
    data.name = to_string(kind);
    data.argument = data.name;
    return data;
}

TermSigns signs_of(const Data& data) {
    return data.values != nullptr ? TermSigns::structured : traits_of(data.kind).signs;
}

Data parse_data(std::string_view name, const Problem& problem) {
    if (name.find_first_of("/.") != std::string_view::npos) return data_of_file(std::string(name), problem);
    const DataKind kind = parse_data_kind(name);
    const std::vector<DataKind> possible = data_kinds_of(problem);
    if (std::find(possible.begin(), possible.end(), kind) != possible.end()) return data_of(kind);
    std::vector<std::string_view> names;
    for (const DataKind each : possible) names.push_back(to_string(each));
    throw InputError(fmt::format("{} of {} cannot have the data '{}'; allowed are {}, or a file of elements",
                                 problem.op, to_string(problem.input), name, fmt::join(names, ", ")));
}

std::vector<Data> parse_data_list(const std::vector<std::string>& names, const Problem& problem) {
    std::vector<Data> list;
    if (names.empty()) {
        for (const DataKind kind : default_data_kinds(problem)) list.push_back(data_of(kind));
    }
    for (const std::string& name : names) {
        Data data = parse_data(name, problem);
        const bool is_new =
            std::none_of(list.begin(), list.end(), [&](const Data& it) { return it.name == data.name; });
        if (is_new) list.push_back(std::move(data));
    }
    return list;
}

std::string list_data_kinds() {
    std::vector<std::string_view> names;
    for (const DataKindTraits& each : data_kinds()) names.push_back(to_string(each.kind));
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace redtune::timing
