#include "tuner/emit/inlined_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

namespace redtune::emit {

namespace {

constexpr std::string_view white_space = " \t\r";

/// Returns the rest of a directive (`#include "x"` gives `"x"`); empty if the line is not this directive.
std::string_view directive(std::string_view line, std::string_view name) {
    line.remove_prefix(std::min(line.find_first_not_of(white_space), line.size()));
    if (!line.starts_with('#')) return {};
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(white_space), line.size()));
    if (!line.starts_with(name)) return {};
    line.remove_prefix(name.size());
    line.remove_prefix(std::min(line.find_first_not_of(white_space), line.size()));
    return line;
}

/// Returns the text without the front matter with which a template or an operator file begins.
std::string_view without_front_matter(std::string_view text) {
    if (!text.starts_with("/*redtune")) return text;
    const std::size_t end = text.find("*/");
    return end == std::string_view::npos ? text : text.substr(end + 2);
}

/// Returns a line that declares something constexpr with the specifiers that redtune's own compilation does without.
/// Functions get __host__ __device__, which nvcc needs. Constants of namespaces, which are not indented, become inline:
/// with internal linkage, NVRTC gives them names in the machine code that differ from process to process.
std::string with_specifiers(const std::string& line) {
    static const std::regex function(R"(^(\s*)((static )?constexpr \w[\w:<> ]* \w+\(.*\)( const)? \{.*)$)");
    if (line.find("__device__") != std::string::npos) return line;
    if (std::regex_match(line, function)) return std::regex_replace(line, function, "$1__host__ __device__ $2");
    return line.starts_with("constexpr ") ? "inline " + line : line;
}

class Inliner {
  public:
    explicit Inliner(const jit::SourceSet& sources) : sources_(sources) {}

    void add(const std::string& path) {
        if (!added_.insert(path).second) return;
        std::istringstream lines{std::string(without_front_matter(sources_.text(path)))};
        std::string kept;
        for (std::string line; std::getline(lines, line);) {
            if (directive(line, "pragma").starts_with("once")) continue;
            if (const std::string_view included = directive(line, "include"); !included.empty()) {
                include(included);
                continue;
            }
            if (const auto macro = directive(line, "define"); !macro.empty()) defined_.insert(name_of(macro));
            if (const auto macro = directive(line, "undef"); !macro.empty()) defined_.erase(name_of(macro));
            if (line.empty() && (kept.empty() || kept.ends_with("\n\n"))) continue;
            kept += (line.find("constexpr") == std::string::npos ? line : with_specifiers(line)) + "\n";
        }
        while (kept.ends_with("\n\n")) kept.pop_back();
        // The folder of a user's file is of no use on another machine.
        const bool is_own = path.starts_with("kernels_src/") || path.starts_with("templates/");
        const std::string shown = is_own ? path : std::filesystem::path(path).filename().string();
        result_.text += fmt::format("// ---- {} ----\n\n{}\n", shown, kept);
    }

    InlinedSources finish() {
        for (const std::string& macro : defined_) result_.text += fmt::format("#undef {}\n", macro);
        return std::move(result_);
    }

  private:
    static std::string name_of(std::string_view macro) {
        return std::string(macro.substr(0, macro.find_first_of(" \t\r(/")));
    }

    void include(std::string_view header) {
        const char close = header.front() == '<' ? '>' : '"';
        const std::size_t end = header.find(close, 1);
        if (header.front() == '"') return add(std::string(header.substr(1, end - 1)));
        const std::string name(header.substr(0, end == std::string_view::npos ? end : end + 1));
        auto& known = result_.system_includes;
        if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }

    const jit::SourceSet& sources_;
    std::set<std::string> added_;
    std::set<std::string> defined_;  // macros that are defined at this point
    InlinedSources result_;
};

}  // namespace

InlinedSources inline_sources(const jit::SourceSet& sources, std::span<const std::string> paths) {
    Inliner inliner(sources);
    for (const std::string& path : paths) inliner.add(path);
    return inliner.finish();
}

}  // namespace redtune::emit
