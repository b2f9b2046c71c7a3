#include "tuner/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace redtune::report {

namespace {

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

/// A group while its rows are being added to its means.
struct Means {
    ComparisonGroup group;
    Mean ratio;
    Mean ratio_to_limit;
};

std::string size_class(std::uint64_t bytes) {
    if (bytes <= std::uint64_t{32} << 10) return "to 32 KiB";
    return bytes <= std::uint64_t{32} << 20 ? "to 32 MiB" : "above 32 MiB";
}

auto condition_of(const ComparisonRow& row) {
    return std::make_tuple(row.cell.streams, row.cell.offset, row.determinism, row.cub_determinism, row.cell.data);
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

std::string verdict(const ComparisonRow& row) {
    if (row.ratio_low > 1) return "faster";
    return row.ratio_high < 1 ? "slower" : "tie";
}

std::optional<double> ratio_to_uniform(const std::vector<ComparisonRow>& rows, const ComparisonRow& row) {
    ComparedCell uniform = row.cell;
    uniform.data = "uniform";
    for (const ComparisonRow& other : rows) {
        if (other.cell == uniform && other.determinism == row.determinism &&
            other.cub_determinism == row.cub_determinism) {
            return row.redtune_us / other.redtune_us;
        }
    }
    return std::nullopt;
}

std::vector<ComparisonGroup> summarize(const std::vector<ComparisonRow>& rows) {
    using Condition = decltype(condition_of(ComparisonRow()));
    using Name = std::string (*)(const ComparisonRow&);
    struct Partition {
        const char* by;
        Name name_of;
        bool is_only_shown_if_varied;
    };
    const Partition partitions[] = {
        {"all", [](const ComparisonRow&) { return std::string("all"); }, false},
        {"op", [](const ComparisonRow& row) { return row.cell.op; }, false},
        {"dtype", [](const ComparisonRow& row) { return row.cell.dtype; }, false},
        {"shape", [](const ComparisonRow& row) { return row.cell.shape; }, true},
        {"size", [](const ComparisonRow& row) { return size_class(row.cell.bytes); }, false},
        {"match", [](const ComparisonRow& row) { return std::string(to_string(row.match)); }, true}};

    std::vector<Condition> conditions;
    for (const ComparisonRow& row : rows) add_once(conditions, condition_of(row));
    std::vector<ComparisonGroup> groups;
    for (const Condition& condition : conditions) {
        for (const auto& [by, name_of, is_only_shown_if_varied] : partitions) {
            std::vector<std::string> names;
            std::map<std::string, Means> by_name;
            for (const ComparisonRow& row : rows) {
                if (condition_of(row) != condition) continue;
                const std::string name = name_of(row);
                add_once(names, name);
                auto& [group, mean, ratio_to_limit] = by_name[name];
                group.worst = mean.count == 0 ? row.ratio() : std::min(group.worst, row.ratio());
                group.slower += verdict(row) == "slower" ? 1 : 0;
                mean.add(row.ratio());
                if (row.limit) ratio_to_limit.add(*row.ratio_to_limit());
            }
            if (is_only_shown_if_varied && names.size() == 1) continue;
            for (const std::string& name : names) {
                auto& [group, mean, ratio_to_limit] = by_name[name];
                std::tie(group.streams, group.offset, group.determinism, group.cub_determinism, group.data) = condition;
                group.by = by;
                group.name = name;
                group.cells = mean.count;
                group.ratio = mean.value();
                if (ratio_to_limit.count != 0) group.ratio_to_limit = ratio_to_limit.value();
                groups.push_back(group);
            }
        }
    }
    return groups;
}

std::optional<DeterminismCost> determinism_cost(const std::vector<ComparisonRow>& rows) {
    const auto times_under = [&](Determinism determinism) {
        std::map<ComparedCell, double> times;
        for (const ComparisonRow& row : rows) {
            if (row.determinism == determinism) times[row.cell] = row.redtune_us;
        }
        return times;
    };
    const std::map<ComparedCell, double> free = times_under(Determinism::any);
    Mean mean;
    for (const auto& [cell, time_us] : times_under(Determinism::run_to_run)) {
        if (const auto found = free.find(cell); found != free.end()) mean.add(time_us / found->second);
    }
    if (mean.count == 0) return std::nullopt;
    return DeterminismCost{mean.count, mean.value()};
}

}  // namespace redtune::report
