// rewrite_device_source IN OUT: rewrites a CUDA source for the host compiler. Line numbers do not change.
//   __shared__ T name[n];          auto& name = emulator::shared<T[(n)], 1>("name", [] {});
//   extern __shared__ T name[];    T* const name = emulator::dynamic_shared<T>();
//   __global__ ... {               unchanged, with an emulator::KernelScope after the brace
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string trim(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Returns the end of the comment or literal that begins at `at`; returns `at` if none begins there.
std::size_t skip_comment_or_literal(const std::string& text, std::size_t at) {
    const auto end_after = [&](const char* what, std::size_t from) {
        const auto found = text.find(what, from);
        return found == std::string::npos ? text.size() : found + std::string(what).size();
    };
    if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
    if (text.compare(at, 2, "/*") == 0) return end_after("*/", at + 2);
    if (text[at] != '"') return at;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return end + 1;
}

/// Returns the position, from `at` on, of the first character that is one of `wanted` and outside of parentheses,
/// comments and literals.
std::size_t find_outside(const std::string& text, std::size_t at, const std::string& wanted) {
    int depth = 0;
    while (at < text.size()) {
        const std::size_t next = skip_comment_or_literal(text, at);
        if (next != at) {
            at = next;
            continue;
        }
        if (depth == 0 && wanted.find(text[at]) != std::string::npos) return at;
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        ++at;
    }
    throw std::runtime_error("a declaration does not end");
}

struct Declaration {
    std::string type, name, extents;
    std::string alignment = "1";
};

/// Parses a declaration such as "__align__(16) unsigned char name[4][n]", without the semicolon.
Declaration parse(std::string text) {
    Declaration declaration;
    text = trim(text);
    for (const std::string keyword : {"__align__", "alignas"}) {
        if (text.rfind(keyword, 0) != 0) continue;
        const std::size_t end = find_outside(text, text.find('(') + 1, ")");
        declaration.alignment = text.substr(text.find('(') + 1, end - text.find('(') - 1);
        text = trim(text.substr(end + 1));
    }
    const std::size_t bracket = text.find('[');
    std::string extents = bracket == std::string::npos ? "" : text.substr(bracket);
    text = trim(text.substr(0, bracket));
    std::size_t name = text.size();
    while (name > 0 && is_word(text[name - 1])) --name;
    declaration.name = text.substr(name);
    declaration.type = trim(text.substr(0, name));
    int depth = 0;
    for (const char c : extents) {
        if (c == ']' && --depth == 0) declaration.extents += ")";
        declaration.extents += c;
        if (c == '[' && depth++ == 0) declaration.extents += "(";
        if (depth == 0 && (c == '=' || c == ',' || c == '{')) declaration.name.clear();
    }
    if (declaration.name.empty() || declaration.type.empty() || declaration.type.back() == '=' ||
        declaration.type.back() == ',') {
        throw std::runtime_error("one __shared__ variable a declaration, without initialiser: " + text);
    }
    return declaration;
}

std::string rewrite_shared(const std::string& text, bool is_extern) {
    const Declaration d = parse(text);
    const std::string lines(std::size_t(std::count(text.begin(), text.end(), '\n')), '\n');
    if (is_extern) return d.type + "* const " + d.name + " = emulator::dynamic_shared<" + d.type + ">();" + lines;
    return "auto& " + d.name + " = emulator::shared<" + d.type + d.extents + ", " + d.alignment + ">(\"" + d.name +
           "\", [] {});" + lines;
}

std::string rewrite(const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = skip_comment_or_literal(text, at);
        if (end == at) {
            while (end < text.size() && is_word(text[end])) ++end;
        }
        if (end == at) ++end;
        const std::string token = text.substr(at, end - at);
        std::size_t shared = end;
        if (token == "extern") shared = std::min(text.find_first_not_of(" \t\n", end), text.size());
        const bool is_extern = token == "extern" && text.compare(shared, 10, "__shared__") == 0;
        if (token == "__shared__" || is_extern) {
            if (is_extern) end = shared + 10;
            const std::size_t semicolon = find_outside(text, end, ";");
            result += rewrite_shared(text.substr(end, semicolon - end), is_extern);
            at = semicolon + 1;
        } else if (token == "__global__") {
            const std::size_t body = find_outside(text, end, "{;");
            result += text.substr(at, body + 1 - at);
            if (text[body] == '{') result += " const emulator::KernelScope emulator_kernel_scope;";
            at = body + 1;
        } else {
            result += token;
            at = end;
        }
    }
    return result;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::cerr << "usage: rewrite_device_source IN OUT\n";
        return 2;
    }
    try {
        std::ifstream in(arguments[1]);
        std::ostringstream text;
        text << in.rdbuf();
        if (!in) throw std::runtime_error("cannot read it");
        std::ofstream out(arguments[2]);
        out << rewrite(text.str());
        if (!out.flush()) throw std::runtime_error(std::string("cannot write ") + arguments[2]);
    } catch (const std::exception& error) {
        std::cerr << arguments[1] << ": " << error.what() << "\n";
        return 1;
    }
    return 0;
}
