#include "tuner/cli/db_diff.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/store.h"
#include "db/winner_diff.h"
#include "redtune/error.h"
#include "tuner/cli/brief_configuration.h"
#include "tuner/cli/command.h"
#include "tuner/cli/listing_table.h"
#include "tuner/cli/messages.h"
#include "tuner/core/configuration.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {

namespace {

struct DiffOptions {
    std::string a;
    std::string b;
    double tolerance_percent = 5;
    Format format = Format::table;
};

/// One of the two that are compared, opened.
struct Side {
    db::Store store;
    std::optional<std::int64_t> sweep;

    db::ComparedWinners winners() const { return {&store, sweep}; }
};

/// Opens FILE or FILE#SWEEP.
/// @throws InputError if there is no such sweep
Side open_side(const std::string& text) {
    const std::size_t mark = text.rfind('#');
    std::error_code none;
    if (mark == std::string::npos || std::filesystem::exists(text, none)) {
        return {db::Store::open(text, db::Access::read_only), std::nullopt};
    }
    const std::string file = text.substr(0, mark);
    const std::string number = text.substr(mark + 1);
    Side side{db::Store::open(file, db::Access::read_only), std::nullopt};
    std::int64_t sweep = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), sweep);
    const bool is_number = read.ec == std::errc() && read.ptr == number.data() + number.size();
    if (!is_number || !db::has_sweep(side.store, sweep)) {
        throw InputError(
            fmt::format("{} has no sweep '{}'; `redtune db show --db {}` lists its sweeps", file, number, file));
    }
    side.sweep = sweep;
    return side;
}

/// Adds the columns `a` and `b` for people: family and parameters that do not have their default value.
void add_brief_configurations(db::Listing& listing, const std::vector<Family>& families) {
    const auto text_at = [](const db::Field& field) {
        const auto* text = std::get_if<std::string>(&field);
        return text == nullptr ? std::string() : *text;
    };
    for (const std::string side : {"a", "b"}) {
        const std::size_t family = listing.column(side + "_family");
        const std::size_t parameters = listing.column(side + "_parameters");
        listing.columns.push_back(side);
        for (auto& row : listing.rows) {
            const std::string name = text_at(row[family]);
            if (name.empty()) {
                row.emplace_back();
            } else {
                row.emplace_back(brief_configuration({name, parameters_from_json(text_at(row[parameters]))}, families));
            }
        }
    }
}

void diff(const DiffOptions& options) {
    using enum Visibility;
    if (!(options.tolerance_percent >= 0))
        throw InputError("--tolerance takes a number of per cent, 0 or more: --tolerance 5");
    const Side a = open_side(options.a);
    const Side b = open_side(options.b);
    const std::vector<Family> families = jit::SourceSet::load().families();
    db::WinnerDiff found = db::diff_winners(a.winners(), b.winners(), families, options.tolerance_percent / 100);
    const bool is_for_people = options.format == Format::table || options.format == Format::md;
    if (is_for_people) add_brief_configurations(found.rows, families);
    ListingTable table(options.format, {{"device", if_varied},
                                        {"op"},
                                        {"dtype"},
                                        {"shape", if_varied},
                                        {"regime", if_varied},
                                        {"n"},
                                        {"determinism", if_varied_and_room},
                                        {"difference"},
                                        {"a", if_room},
                                        {"a_time_us"},
                                        {"b", if_room},
                                        {"b_time_us"},
                                        {"time_ratio", if_room},
                                        {"a_in_b_ratio", if_room},
                                        {"b_in_a_ratio", if_room}});
    table.add(found.rows);
    // An empty table would only be a line of titles, but programs that read the other formats expect them.
    if (table.size() > 0 || !is_for_people) table.print();
    note("{} winners differ, {} agree.\n", found.rows.rows.size(), found.equal);
}

}  // namespace

void add_db_diff_command(CLI::App& database) {
    const auto options = std::make_shared<DiffOptions>();
    CLI::App* command = database.add_subcommand(
        "diff", "On which winners two databases or two sweeps disagree, and how much it matters");
    command->add_option("A", options->a, "A database, or one of its sweeps: FILE#SWEEP")->required();
    command->add_option("B", options->b, "What it is compared with: FILE or FILE#SWEEP")->required();
    command
        ->add_option("--tolerance", options->tolerance_percent,
                     "Times of the same winner that differ by at most so many per cent agree")
        ->capture_default_str();
    add_format_option(*command, options->format);
    command->callback([options] { diff(*options); });
}

}  // namespace redtune::cli
