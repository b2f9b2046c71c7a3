#include "tuner/cli/explain_output.h"

#include <fmt/format.h>

#include <iostream>

#include "redtune/size.h"
#include "tuner/cli/brief_configuration.h"
#include "tuner/cli/explain_json.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_options.h"

namespace redtune::cli {

namespace {

using report::Explanation;
using report::ParameterWorth;

std::string percent(double ratio) {
    return fmt::format("{:+.2f} %", 100 * (ratio - 1));
}

/// Returns the rung that answered, and whose winner it took.
std::string rung_of(const ExplainedMatch& explained) {
    const Match& match = explained.match;
    std::string text(to_string(match.kind));
    if (match.kind == MatchKind::exact) return text + ": this size was tuned";
    if (match.kind == MatchKind::default_rule) return text + ": not tuned; a rule of thumb";
    text += fmt::format(": the winner of n = {}", format_size(match.tuned_n));
    if (match.kind > MatchKind::beyond) {
        text += fmt::format(", {}, {}, on {}", describe(*match.tuned_problem), to_string(match.tuned_regime),
                            match.tuned_device);
    }
    return text;
}

std::string time_of(const Explanation& why) {
    const Measurement& measured = why.winner.measurement.measurement;
    std::string text = fmt::format("{:.5g} us", measured.median_us);
    if (why.interval) {
        text += fmt::format(", 95 % interval {:.5g} to {:.5g}, {} samples", why.interval->low, why.interval->high,
                            measured.samples_us.size());
    } else {
        text += fmt::format(", interquartile range {:.3g} us (the samples are not stored)", measured.interquartile_us);
    }
    if (why.winner.spread) {
        text += fmt::format("; at most {:.2f} % above the best time of each of {} GPUs", 100 * (*why.winner.spread - 1),
                            why.winner.units);
    }
    return text;
}

std::string runner_up_of(const Explanation& why, const std::vector<Family>& families) {
    if (why.runner_up_ratio == 0 && !why.runner_up) return "none: no other finalist is stored";
    const std::string margin = percent(why.runner_up_ratio);
    if (!why.runner_up) return fmt::format("{}; its configuration is not stored", margin);
    return fmt::format("{}: {}, {:.5g} us", margin, brief_configuration(why.runner_up->configuration, families),
                       why.runner_up->measurement.median_us);
}

std::string limit_of(const Explanation& why) {
    const report::StoredLimit& limit = why.limit;
    if (limit.us() <= 0) return "not known";
    const double share = 100 * limit.us() / why.winner.measurement.measurement.median_us;
    return fmt::format("{:.5g} us, {}: {:.1f} % of the winner's time", limit.us(),
                       limit.memory_us > limit.floor_us ? "the input at the memory's peak bandwidth"
                                                        : "the same launches with empty kernels",
                       share);
}

std::string regret_of(const Explanation& why) {
    if (!why.regret) return "not measured for this problem and regime";
    return fmt::format("between tuned sizes: {:.2f} % (median), {:.2f} % (largest) at {} checked sizes",
                       100 * why.regret->median, 100 * why.regret->largest, why.regret->sizes);
}

void print_facts(const ExplainedMatch& explained, const std::vector<Family>& families, Format format) {
    const Match& match = explained.match;
    Table table({{"property"}, {"value"}});
    table.add({"device", std::string(match.device)});
    table.add({"asked_for", fmt::format("{}, n = {}, {}", describe(explained.problem), format_size(explained.n),
                                        to_string(explained.regime))});
    table.add({"rung", rung_of(explained)});
    const Configuration configuration{std::string(match.family), {match.parameters.begin(), match.parameters.end()}};
    table.add({"winner", brief_configuration(configuration, families)});
    if (match.expected_us > 0) table.add({"expected", fmt::format("{:.5g} us", match.expected_us)});
    if (explained.why) {
        const Explanation& why = *explained.why;
        table.add({"measured", time_of(why)});
        table.add({"measured_at", fmt::format("{}, {}, {}", why.winner.measurement.measurement.measured_at,
                                              why.winner.source, why.layer)});
        table.add({"runner_up", runner_up_of(why, families)});
        table.add({"decided_by", why.winner.decided_by});
        table.add({"effort", why.winner.effort.empty() ? "not known" : why.winner.effort});
        table.add({"candidates", fmt::format("{} configurations of this cell are stored", why.candidates)});
        table.add({"limit", limit_of(why)});
        table.add({"regret", regret_of(why)});
    }
    table.print(std::cout, format);
}

Table parameter_table() {
    return Table(
        {{"parameter"}, {"value"}, {"best_other"}, {"change_percent"}, {"other_us"}, {"winner_us"}, {"stage"}});
}

void add_parameter(Table& table, const ParameterWorth& worth) {
    if (worth.others.empty()) {
        table.add({worth.name, to_string(worth.value), {}, {}, {}, {}, {}});
        return;
    }
    const report::OtherValue& best = worth.others.front();
    table.add({worth.name, to_string(worth.value), to_string(best.value), 100 * (best.ratio() - 1), best.us,
               best.reference_us, std::string(to_string(best.stage))});
}

void print_parameters(const ExplainedMatch& explained, Format format) {
    const Explanation& why = *explained.why;
    if (why.parameters_from.empty()) {
        fmt::print(stderr,
                   "No stored candidate differs from the winner in one parameter only, so the worth of a parameter is "
                   "not known. Shipped winners files have only finalists; `redtune tune` on this device measures the "
                   "others.\n");
        return;
    }
    std::cout << '\n';
    Table table = parameter_table();
    for (const ParameterWorth& worth : why.parameters) add_parameter(table, worth);
    table.print(std::cout, format);
    std::cout.flush();
    note("The times of other values are from the {} database. Values that are empty were not measured.\n",
         why.parameters_from);
}

/// Prints a line for each counter and a column for each launch of a call.
void print_counters(const std::vector<report::Counters>& launches, Format format) {
    std::vector<Column> columns = {{"counter"}};
    for (const report::Counters& counters : launches) columns.push_back({counters.kernel, 1});
    Table table(std::move(columns));
    for (const report::CounterColumn& column : report::counter_columns()) {
        std::vector<Cell> cells = {std::string(column.label)};
        for (const report::Counters& counters : launches) {
            const std::optional<double>& value = counters.*column.member;
            cells.push_back(value ? Cell(*value) : Cell());
        }
        table.add(std::move(cells));
    }
    std::cout << '\n';
    table.print(std::cout, format);
}

/// Prints a row for each parameter of each match.
void print_csv(const std::vector<ExplainedMatch>& matches) {
    Table table({{"device"},
                 {"n"},
                 {"family"},
                 {"parameter"},
                 {"value"},
                 {"best_other"},
                 {"change_percent"},
                 {"other_us"},
                 {"winner_us"},
                 {"stage"}});
    for (const ExplainedMatch& explained : matches) {
        if (!explained.why) continue;
        for (const ParameterWorth& worth : explained.why->parameters) {
            std::vector<Cell> row{std::string(explained.match.device), static_cast<std::int64_t>(explained.n),
                                  std::string(explained.match.family), worth.name, to_string(worth.value)};
            if (worth.others.empty()) {
                row.resize(10);
            } else {
                const report::OtherValue& best = worth.others.front();
                for (Cell cell : {Cell(to_string(best.value)), Cell(100 * (best.ratio() - 1)), Cell(best.us),
                                  Cell(best.reference_us), Cell(std::string(to_string(best.stage)))}) {
                    row.push_back(std::move(cell));
                }
            }
            table.add(std::move(row));
        }
    }
    table.print(std::cout, Format::csv);
}

}  // namespace

void print_explanations(const std::vector<ExplainedMatch>& matches, const std::vector<Family>& families,
                        Format format) {
    if (format == Format::csv) return print_csv(matches);
    if (format == Format::json) {
        std::cout << explanations_to_json(matches).dump(2) << '\n';
        return;
    }
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (i > 0) std::cout << '\n';
        print_facts(matches[i], families, format);
        if (matches[i].why) print_parameters(matches[i], format);
        if (!matches[i].counters.empty()) print_counters(matches[i].counters, format);
    }
}

}  // namespace redtune::cli
