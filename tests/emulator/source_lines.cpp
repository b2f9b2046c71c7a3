#include "source_lines.h"

#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>
#include <unordered_map>

namespace emulator {

namespace {

std::uintptr_t load_bias() {
    std::uintptr_t bias = 0;
    // The first object is the program itself.
    const auto first = [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
        return 1;
    };
    dl_iterate_phdr(first, &bias);
    return bias;
}

std::string program_path() {
    std::array<char, 4096> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length > 0 ? std::string(path.data(), std::size_t(length)) : "";
}

// Returns whether a report may name the line. The stand-ins for CUDA's functions are inlined, and reports name the line
// of their caller instead.
bool is_device_code(const std::string& line) {
    return line.find("stand_in/") == std::string::npos && line.find("??") == std::string::npos &&
           line.find("/c++/") == std::string::npos;
}

// Returns the path in the repository. CMakeLists.txt puts the rewritten sources into a folder of this name.
std::string without_folder(const std::string& line) {
    static const std::string folder = "emulated_device_code/";
    const std::size_t at = line.rfind(folder);
    return at == std::string::npos ? line : line.substr(at + folder.size());
}

// Runs addr2line for several sites. Its option -a prints each address in its own line, followed by the lines of the
// inlined calls, innermost first.
std::vector<std::string> run_addr2line(const std::vector<std::uint32_t>& sites) {
    std::ostringstream command;
    command << "addr2line -a -i -e '" << program_path() << "'" << std::hex;
    for (const std::uint32_t site : sites) command << " 0x" << site;
    command << " 2>/dev/null";
    std::vector<std::string> lines(sites.size(), "?");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.str().c_str(), "r"), pclose);
    if (!pipe) return lines;
    std::array<char, 4096> buffer{};
    std::size_t next = 0;
    while (std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) {
        std::string line(buffer.data());
        line = line.substr(0, line.find_first_of(" \n"));
        if (line.rfind("0x", 0) == 0) {
            ++next;
        } else if (next >= 1 && next <= lines.size() && lines[next - 1] == "?" && is_device_code(line)) {
            lines[next - 1] = without_folder(line);
        }
    }
    return lines;
}

}  // namespace

std::uint32_t make_site(const void* return_address) {
    static const std::uintptr_t bias = load_bias();
    return std::uint32_t(reinterpret_cast<std::uintptr_t>(return_address) - bias - 1);
}

std::vector<std::string> source_lines(const std::vector<std::uint32_t>& sites) {
    static std::unordered_map<std::uint32_t, std::string> known;
    std::vector<std::uint32_t> unknown;
    for (const std::uint32_t site : sites) {
        if (!known.contains(site)) unknown.push_back(site);
    }
    if (!unknown.empty()) {
        const std::vector<std::string> lines = run_addr2line(unknown);
        for (std::size_t i = 0; i < unknown.size(); ++i) known[unknown[i]] = lines[i];
    }
    std::vector<std::string> result;
    for (const std::uint32_t site : sites) result.push_back(known[site]);
    return result;
}

std::string source_line(const std::source_location& where) {
    return without_folder(where.file_name()) + ":" + std::to_string(where.line());
}

bool same_line(const std::source_location& a, const std::source_location& b) {
    return a.line() == b.line() && (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

}  // namespace emulator
