#include "tests/support/fake_ncu.h"

#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/source_path.h"

namespace redtune::test {

FakeNcu::FakeNcu(const std::string& prints, int exit_code)
    : path_("PATH", fmt::format("{}:{}", folder_.path().string(), std::getenv("PATH"))) {
    db::write_file(program(),
                   fmt::format("#!/bin/sh\nprintf '%s\\n' START \"$@\" >>'{}'\ncat '{}'\nexit {}\n",
                               (folder_ / "arguments").string(), source_path("tests/cli/ncu/" + prints), exit_code));
    std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
}

std::string FakeNcu::arguments() const {
    return std::filesystem::exists(folder_ / "arguments") ? db::read_file(folder_ / "arguments") : "";
}

std::size_t FakeNcu::starts() const {
    const std::string text = arguments();
    std::size_t count = 0;
    for (std::size_t at = text.find("START\n"); at != std::string::npos; at = text.find("START\n", at + 1)) ++count;
    return count;
}

}  // namespace redtune::test
