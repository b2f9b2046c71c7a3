#include "tuner/core/built_in_families.h"

#include <algorithm>
#include <string>

#include "tuner/core/embedded_files.h"

namespace redtune {

std::span<const Family> built_in_families() {
    static const std::vector<Family> families = [] {
        std::vector<Family> read;
        for (const EmbeddedFile& file : embedded_files()) {
            if (!file.path.starts_with("templates/")) continue;
            for (Family& family : parse_families(std::string(file.path), std::string(file.text))) {
                read.push_back(std::move(family));
            }
        }
        std::sort(read.begin(), read.end(), [](const Family& a, const Family& b) { return a.name < b.name; });
        return read;
    }();
    return families;
}

const Family* find_built_in_family(std::string_view name) {
    for (const Family& family : built_in_families()) {
        if (family.name == name) return &family;
    }
    return nullptr;
}

}  // namespace redtune
