#include "tuner/jit/source_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "redtune/error.h"
#include "tuner/core/embedded_files.h"
#include "tuner/core/environment.h"
#include "tuner/core/finish.h"
#include "tuner/core/hash.h"
#include "tuner/core/nearest_name.h"

namespace redtune::jit {

namespace {

constexpr std::string_view template_folder = "templates/";

/// Returns the text without comments and with every run of white space replaced by one space.
std::string without_comments(std::string_view text) {
    constexpr std::string_view white_space = " \t\n\v\f\r";
    constexpr std::string_view special = "/ \t\n\v\f\r";
    std::string code;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("//")) {
            i += std::min(rest.find('\n'), rest.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t end = rest.find("*/");
            i += end == std::string_view::npos ? rest.size() : end + 2;
        } else if (const std::size_t space = std::min(rest.find_first_not_of(white_space), rest.size()); space > 0) {
            if (!code.empty() && code.back() != ' ') code += ' ';
            i += space;
        } else {
            const std::size_t length = std::min(rest.find_first_of(special, 1), rest.size());
            code += rest.substr(0, length);
            i += length;
        }
    }
    return code;
}

/// Returns the paths that a source includes in quotation marks.
std::vector<std::string> includes_of(std::string_view text) {
    constexpr std::string_view directive = "#include \"";
    std::vector<std::string> paths;
    for (std::size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at + 1)) {
        const std::size_t begin = at + directive.size();
        paths.emplace_back(text.substr(begin, text.find('"', begin) - begin));
    }
    return paths;
}

}  // namespace

const std::string& SourceSet::Code::of(const std::string& text) {
    std::call_once(once_, [&] { code_ = without_comments(text); });
    return code_;
}

SourceSet SourceSet::load() {
    if (const auto folder = environment_variable("REDTUNE_TEMPLATE_PATH")) return from_folder(*folder);
    static const SourceSet built_in = from_embedded_files();
    return built_in;
}

SourceSet SourceSet::from_embedded_files() {
    SourceSet sources;
    for (const EmbeddedFile& file : embedded_files()) {
        if (file.path.ends_with(".cuh")) sources.add(std::string(file.path), std::string(file.text));
    }
    sources.find_templates();
    sources.is_built_in_ = true;
    return sources;
}

SourceSet SourceSet::from_folder(const std::string& folder) {
    SourceSet sources;
    for (const char* part : {"templates", "kernels_src"}) {
        const std::filesystem::path path = std::filesystem::path(folder) / part;
        if (!std::filesystem::is_directory(path)) {
            throw InputError(
                fmt::format("{} is not a folder; REDTUNE_TEMPLATE_PATH must name one that holds "
                            "templates/ and kernels_src/",
                            path.string()));
        }
        for (const auto& entry : std::filesystem::directory_iterator(path)) {
            if (entry.path().extension() != ".cuh") continue;
            sources.add(std::string(part) + "/" + entry.path().filename().string(), read_text(entry.path().string()));
        }
    }
    sources.find_templates();
    return sources;
}

void SourceSet::add(const std::string& path, std::string text) {
    std::vector<std::string> includes = includes_of(text);
    is_built_in_ = false;
    files_[path] = {std::move(text), std::move(includes), std::make_shared<Code>()};
}

void SourceSet::find_templates() {
    for (const auto& [path, source] : files_) {
        if (path.starts_with(template_folder)) template_paths_.push_back(path);
    }
}

void SourceSet::add_template(const std::string& file) {
    add(file, read_text(file));
    template_paths_.push_back(file);
}

void SourceSet::add_operator(const std::string& path, std::string text) {
    add(path, std::move(text));
    operator_paths_.push_back(path);
}

const SourceSet::Source& SourceSet::find(const std::string& path) const {
    const auto found = files_.find(path);
    if (found == files_.end()) throw InputError(fmt::format("there is no device source '{}'", path));
    return found->second;
}

std::string SourceSet::code_hash(const std::string& path) const {
    std::string code;
    std::set<std::string> seen{path};
    std::vector<std::string> open{path};
    while (!open.empty()) {
        const std::string current = open.back();
        open.pop_back();
        const Source& source = find(current);
        code += current + "\n" + source.code->of(source.text) + "\n";
        for (const std::string& included : source.includes) {
            if (seen.insert(included).second) open.push_back(included);
        }
    }
    return content_hash(code);
}

std::vector<gpu::Header> SourceSet::headers() const {
    std::vector<gpu::Header> headers;
    for (const auto& [path, source] : files_) headers.push_back({path, source.text});
    return headers;
}

std::vector<Family> SourceSet::families() const {
    if (!is_built_in_) return parse();
    static const std::vector<Family> built_in = parse();
    return built_in;
}

std::optional<Family> SourceSet::find_family(std::string_view name) const {
    for (const std::string& path : template_paths_) {
        if (find(path).text.find(name) == std::string::npos) continue;
        for (Family& family : parse_file(path, operator_hashes())) {
            if (family.name == name) return std::move(family);
        }
    }
    return std::nullopt;
}

std::string SourceSet::operator_hashes() const {
    std::string hashes;
    for (const std::string& path : operator_paths_) hashes += code_hash(path);
    return hashes;
}

std::vector<Family> SourceSet::parse_file(const std::string& path, const std::string& operators) const {
    std::vector<Family> families = parse_families(path, find(path).text);
    for (Family& family : families) {
        // The derived values decide how kernels are launched, so they belong to the hash; bytes_in_flight is only
        // an estimate for the search.
        std::string rules;
        for (const Expression& derived : family.derived) {
            if (derived.name != "bytes_in_flight") rules += derived.name + "=" + derived.sql + "\n";
        }
        for (const ParameterValues& parameter : family.parameters) {
            if (parameter.name != finish_parameter) continue;
            for (const Value& value : parameter.values) {
                rules += describe(traits_of(parse_finish(to_string(value)))) + "\n";
            }
        }
        family.code_hash = content_hash(fmt::format("{}{}{}", operators, code_hash(path), rules));
    }
    return families;
}

std::vector<Family> SourceSet::parse() const {
    std::vector<Family> families;
    const std::string operators = operator_hashes();
    for (const std::string& path : template_paths_) {
        std::ranges::move(parse_file(path, operators), std::back_inserter(families));
    }
    std::sort(families.begin(), families.end(), [](const Family& a, const Family& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < families.size(); ++i) {
        if (families[i].name == families[i - 1].name) {
            throw InputError(fmt::format("{} and {} both call their family '{}'", families[i - 1].path,
                                         families[i].path, families[i].name));
        }
    }
    return families;
}

std::string read_text(const std::string& file) {
    // Reading a folder makes the stream buffer throw; operator<< catches that and leaves the text empty.
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    if (text.str().empty()) throw InputError(fmt::format("{} cannot be read, or is empty", file));
    return text.str();
}

const Family& find_family(std::span<const Family> families, std::string_view name) {
    std::vector<std::string> names;
    for (const Family& family : families) {
        if (family.name == name) return family;
        names.push_back(family.name);
    }
    throw InputError(fmt::format("there is no family '{}'; there are {}{}", name, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
}

}  // namespace redtune::jit
