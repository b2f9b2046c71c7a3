#include "tuner/jit/resource_log.h"

#include <regex>
#include <sstream>

namespace redtune::jit {

std::map<std::string, KernelResources> parse_resource_log(std::string_view log) {
    static const std::regex entry("Compiling entry function '([^']+)'");
    static const std::regex spills("([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads");
    static const std::regex registers("Used ([0-9]+) registers");
    static const std::regex shared("([0-9]+) bytes smem");
    std::map<std::string, KernelResources> resources;
    KernelResources* current = nullptr;
    std::istringstream lines{std::string(log)};
    const auto number = [](const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); };
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, entry)) current = &resources[match[1]];
        if (current == nullptr) continue;
        if (std::regex_search(line, match, spills)) current->spill_bytes = number(match[1]) + number(match[2]);
        if (std::regex_search(line, match, registers)) current->registers = number(match[1]);
        if (std::regex_search(line, match, shared)) current->shared_bytes = number(match[1]);
    }
    return resources;
}

}  // namespace redtune::jit
