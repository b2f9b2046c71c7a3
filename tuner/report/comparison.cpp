#include "tuner/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "tuner/core/named.h"

namespace redtune::report {

namespace {

constexpr std::array stream_counts = {Named<Streams>{"one", Streams::one}, Named<Streams>{"several", Streams::several}};

/// Computes the geometric mean of the ratios that are added to it.
struct Mean {
    std::size_t count = 0;
    double logarithms = 0;

    void add(double ratio) {
        ++count;
        logarithms += std::log(ratio);
    }
    double value() const { return std::exp(logarithms / static_cast<double>(count)); }
};

std::string size_class(std::uint64_t bytes) {
    if (bytes <= std::uint64_t{32} << 10) return "to 32 KiB";
    return bytes <= std::uint64_t{32} << 20 ? "to 32 MiB" : "above 32 MiB";
}

auto condition_of(const ComparisonRow& row) {
    return std::make_tuple(row.streams, row.offset, row.determinism, row.cub_determinism);
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

std::string_view to_string(Streams streams) noexcept {
    return name_of(stream_counts, streams);
}

Streams parse_streams(std::string_view name) {
    return parse_named(stream_counts, "number of streams", name);
}

std::string verdict(const ComparisonRow& row) {
    if (row.ratio_low > 1) return "faster";
    return row.ratio_high < 1 ? "slower" : "tie";
}

std::string alignment_name(std::uint64_t offset) {
    return offset == 0 ? "aligned" : fmt::format("{} off", offset);
}

std::vector<ComparisonGroup> summarize(const std::vector<ComparisonRow>& rows) {
    using Condition = decltype(condition_of(ComparisonRow()));
    using Name = std::string (*)(const ComparisonRow&);
    const std::pair<const char*, Name> partitions[] = {
        {"all", [](const ComparisonRow&) { return std::string("all"); }},
        {"op", [](const ComparisonRow& row) { return row.op; }},
        {"dtype", [](const ComparisonRow& row) { return row.dtype; }},
        {"size", [](const ComparisonRow& row) { return size_class(row.bytes); }}};

    std::vector<Condition> conditions;
    for (const ComparisonRow& row : rows) add_once(conditions, condition_of(row));
    std::vector<ComparisonGroup> groups;
    for (const Condition& condition : conditions) {
        for (const auto& [by, name_of] : partitions) {
            std::vector<std::string> names;
            std::map<std::string, std::pair<ComparisonGroup, Mean>> by_name;
            for (const ComparisonRow& row : rows) {
                if (condition_of(row) != condition) continue;
                const std::string name = name_of(row);
                add_once(names, name);
                auto& [group, mean] = by_name[name];
                group.worst = mean.count == 0 ? row.ratio() : std::min(group.worst, row.ratio());
                group.slower += verdict(row) == "slower" ? 1 : 0;
                mean.add(row.ratio());
            }
            for (const std::string& name : names) {
                auto& [group, mean] = by_name[name];
                std::tie(group.streams, group.offset, group.determinism, group.cub_determinism) = condition;
                group.by = by;
                group.name = name;
                group.cells = mean.count;
                group.ratio = mean.value();
                groups.push_back(group);
            }
        }
    }
    return groups;
}

std::optional<DeterminismCost> determinism_cost(const std::vector<ComparisonRow>& rows) {
    using Cell = std::tuple<std::string, std::string, std::uint64_t, Regime, std::uint64_t, Streams>;
    const auto times_under = [&](Determinism determinism) {
        std::map<Cell, double> times;
        for (const ComparisonRow& row : rows) {
            if (row.determinism != determinism) continue;
            times[{row.op, row.dtype, row.n, row.regime, row.offset, row.streams}] = row.redtune_us;
        }
        return times;
    };
    const std::map<Cell, double> free = times_under(Determinism::any);
    Mean mean;
    for (const auto& [cell, time_us] : times_under(Determinism::run_to_run)) {
        if (const auto found = free.find(cell); found != free.end()) mean.add(time_us / found->second);
    }
    if (mean.count == 0) return std::nullopt;
    return DeterminismCost{mean.count, mean.value()};
}

}  // namespace redtune::report
