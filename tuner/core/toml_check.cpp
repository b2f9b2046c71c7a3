#include "tuner/core/toml_check.h"

#include <algorithm>

namespace redtune {

namespace {

constexpr std::string_view blanks = " \t";

bool is_key_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Returns whether a line has a name, or nothing but another bracket, after the one or two brackets that it begins
/// with. toml++ reports an empty name itself.
bool has_name_after_brackets(std::string_view line) {
    line.remove_prefix(line.starts_with("[[") ? 2 : 1);
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    return !line.empty() && (is_key_character(line[0]) || line[0] == '"' || line[0] == '\'' || line[0] == ']');
}

bool is_control(char c) {
    return (static_cast<unsigned char>(c) < 32 && c != '\t' && c != '\n' && c != '\r') || c == 127;
}

/// Reads a text character by character and knows whether it is inside of a string or a comment.
class TomlScanner {
  public:
    explicit TomlScanner(std::string_view toml) : toml_(toml) {}

    std::optional<TomlFlaw> find_flaw() {
        for (; at_ < toml_.size(); ++at_) {
            const char c = toml_[at_];
            if (is_control(c))
                return TomlFlaw{line_, "control characters other than tabs and line breaks are not allowed"};
            if (static_cast<unsigned char>(c) >= 128 && !is_comment_) {
                return TomlFlaw{line_, "characters outside of comments are ASCII; a string may have \\u00E9"};
            }
            if (c == '\n') {
                end_line();
            } else if (quotes_ > 0) {
                read_in_string(c);
            } else if (!is_comment_) {
                if (const auto flaw = read_outside(c)) return flaw;
            }
        }
        return std::nullopt;
    }

  private:
    bool has_three(char quote) const {
        const std::string_view next = toml_.substr(at_, 3);
        return next.size() == 3 && std::all_of(next.begin(), next.end(), [&](char c) { return c == quote; });
    }

    /// Returns whether the character before this place belongs to a number, a date or a bare key.
    bool follows_bare_character() const {
        if (at_ == 0) return false;
        const char before = toml_[at_ - 1];
        return is_key_character(before) || before == '+' || before == ':';
    }

    /// Returns whether the space at this place has a digit behind it and a value before it, as in a date with a time.
    bool joins_values() const {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        if (at_ == 0 || at_ + 1 >= toml_.size() || !is_digit(toml_[at_ + 1])) return false;
        const char before = toml_[at_ - 1];
        if (std::string_view(" \t\r\n,").find(before) != std::string_view::npos) return false;
        if (std::string_view("=[{").find(before) == std::string_view::npos) return true;
        // toml++ takes these for a part of the value if a number begins before them.
        const std::size_t end = at_ > 1 ? toml_.find_last_of(" \t\n,=[{", at_ - 2) : std::string_view::npos;
        const char first = toml_[end == std::string_view::npos ? 0 : end + 1];
        return is_digit(first) || first == '+' || first == '-';
    }

    void end_line() {
        ++line_;
        is_comment_ = false;
        if (quotes_ == 1) quotes_ = 0;  // an error, which toml++ reports
        is_line_start_ = quotes_ == 0;
        if (quotes_ == 0) has_equals_ = false;
    }

    void read_in_string(char c) {
        if (c == '\\' && quote_ == '"') {
            const bool is_line_end = at_ + 1 < toml_.size() && toml_[at_ + 1] == '\n';
            if (!is_line_end) ++at_;
        } else if (c == quote_ && (quotes_ == 1 || has_three(quote_))) {
            if (quotes_ == 3) at_ += 2;
            // A string of several lines may end with one or two quotes before the three that close it.
            for (int more = 0; quotes_ == 3 && more < 2 && toml_.substr(at_ + 1).starts_with(quote_); ++more) ++at_;
            quotes_ = 0;
        }
    }

    std::optional<TomlFlaw> read_outside(char c) {
        if (!is_key_character(c) && std::string_view(" \t\r+.:,=[]{}\"'#").find(c) == std::string_view::npos) {
            return TomlFlaw{line_,
                            "outside of strings and comments there are only letters, digits, white space and "
                            "_-+.:,=[]{}\"'#"};
        }
        if (c == '[' && is_line_start_ && !has_name_after_brackets(toml_.substr(at_, toml_.find('\n', at_) - at_))) {
            return TomlFlaw{line_, "a table begins with its name in brackets, such as [parameters]"};
        }
        if (c == '=' && has_equals_) return TomlFlaw{line_, "a value is missing between two '=', or quotes around it"};
        if (c == '{' && std::string_view("=[,").find(last_) == std::string_view::npos) {
            return TomlFlaw{line_, "a '{' begins a value, so it stands behind '=', '[' or ','"};
        }
        if (c == '=' || c == ',' || c == '{') has_equals_ = c == '=';
        if (c == '}' && (last_ == '[' || last_ == ',')) {
            return TomlFlaw{line_, "a value is missing before '}'"};
        }
        if (c == ' ' && joins_values()) {
            return TomlFlaw{line_, "white space ends a value; a date and a time are joined by T"};
        }
        is_comment_ = c == '#';
        if (!is_comment_ && c != '\r' && blanks.find(c) == std::string_view::npos) last_ = c;
        if (c == '"' || c == '\'') {
            if (follows_bare_character()) return TomlFlaw{line_, "a string may not follow a value or a key directly"};
            quote_ = c;
            quotes_ = has_three(c) ? 3 : 1;
            if (quotes_ == 3) at_ += 2;
        }
        if (blanks.find(c) == std::string_view::npos) is_line_start_ = false;
        return std::nullopt;
    }

    std::string_view toml_;
    std::size_t at_ = 0;
    int line_ = 0;
    bool is_line_start_ = true;
    bool is_comment_ = false;
    bool has_equals_ = false;  ///< a key of this line has had its '='
    char last_ = '\0';         ///< the last character outside of strings and comments that is not white space
    int quotes_ = 0;           ///< number of quotes that close the string; 0: outside of strings
    char quote_ = '"';
};

}  // namespace

std::optional<TomlFlaw> find_toml_flaw(std::string_view toml) {
    return TomlScanner(toml).find_flaw();
}

}  // namespace redtune
