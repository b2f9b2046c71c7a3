#include "tuner/cli/explain_json.h"

#include "tuner/core/configuration.h"

namespace redtune::cli {

namespace {

using ExplainedJson = nlohmann::ordered_json;

ExplainedJson value_to_json(const Value& value) {
    return std::visit([](const auto& held) { return ExplainedJson(held); }, value);
}

ExplainedJson parameters_to_json(std::span<const Parameter> parameters) {
    ExplainedJson object = ExplainedJson::object();
    for (const Parameter& parameter : parameters) object[parameter.name] = value_to_json(parameter.value);
    return object;
}

ExplainedJson if_positive(double value) {
    return value > 0 ? ExplainedJson(value) : ExplainedJson();
}

ExplainedJson runner_up_to_json(const report::Explanation& why) {
    ExplainedJson object{{"ratio", if_positive(why.runner_up_ratio)}};
    object["family"] = why.runner_up ? ExplainedJson(why.runner_up->configuration.family) : ExplainedJson();
    object["parameters"] =
        why.runner_up ? parameters_to_json(why.runner_up->configuration.parameters) : ExplainedJson();
    object["time_us"] = why.runner_up ? ExplainedJson(why.runner_up->measurement.median_us) : ExplainedJson();
    return object;
}

ExplainedJson worths_to_json(const report::Explanation& why) {
    ExplainedJson list = ExplainedJson::array();
    for (const report::ParameterWorth& worth : why.parameters) {
        ExplainedJson others = ExplainedJson::array();
        for (const report::OtherValue& other : worth.others) {
            others.push_back({{"value", value_to_json(other.value)},
                              {"ratio", other.ratio()},
                              {"time_us", other.us},
                              {"winner_us", other.reference_us},
                              {"stage", to_string(other.stage)}});
        }
        list.push_back({{"parameter", worth.name}, {"value", value_to_json(worth.value)}, {"others", others}});
    }
    return list;
}

void add_explanation(ExplainedJson& object, const report::Explanation& why) {
    const Measurement& measured = why.winner.measurement.measurement;
    object["time_us"] = measured.median_us;
    object["interval_us"] = why.interval ? ExplainedJson({why.interval->low, why.interval->high}) : ExplainedJson();
    object["interquartile_us"] = measured.interquartile_us;
    object["measured_at"] = measured.measured_at;
    object["source"] = why.winner.source;
    object["layer"] = why.layer;
    object["decided_by"] = why.winner.decided_by;
    object["effort"] = why.winner.effort.empty() ? ExplainedJson() : ExplainedJson(why.winner.effort);
    object["runner_up"] = runner_up_to_json(why);
    object["candidates"] = why.candidates;
    object["parameter_worth"] = worths_to_json(why);
    object["parameter_worth_from"] = why.parameters_from.empty() ? ExplainedJson() : ExplainedJson(why.parameters_from);
    object["floor_us"] = if_positive(why.limit.floor_us);
    object["memory_us"] = if_positive(why.limit.memory_us);
    object["limit_us"] = if_positive(why.limit.us());
    object["regret"] = why.regret ? ExplainedJson(why.regret->median) : ExplainedJson();
    object["largest_regret"] = why.regret ? ExplainedJson(why.regret->largest) : ExplainedJson();
    object["regret_sizes"] = why.regret ? ExplainedJson(why.regret->sizes) : ExplainedJson();
}

ExplainedJson counters_to_json(const std::vector<report::Counters>& launches) {
    ExplainedJson list = ExplainedJson::array();
    for (const report::Counters& counters : launches) {
        ExplainedJson object{{"kernel", counters.kernel}};
        for (const report::CounterColumn& column : report::counter_columns()) {
            const std::optional<double>& value = counters.*column.member;
            object[std::string(column.name)] = value ? ExplainedJson(*value) : ExplainedJson();
        }
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace

ExplainedJson explanations_to_json(const std::vector<ExplainedMatch>& matches) {
    ExplainedJson list = ExplainedJson::array();
    for (const ExplainedMatch& explained : matches) {
        const Match& match = explained.match;
        const bool is_tuned = match.kind != MatchKind::default_rule;
        ExplainedJson object{{"device", match.device},
                             {"op", explained.problem.op},
                             {"dtype", to_string(explained.problem.input)},
                             {"n", explained.n},
                             {"regime", to_string(explained.regime)},
                             {"rung", to_string(match.kind)},
                             {"tuned_n", is_tuned ? ExplainedJson(match.tuned_n) : ExplainedJson()},
                             {"tuned_device", is_tuned ? ExplainedJson(match.tuned_device) : ExplainedJson()},
                             {"family", match.family},
                             {"parameters", parameters_to_json(match.parameters)},
                             {"expected_us", if_positive(match.expected_us)}};
        if (explained.why) add_explanation(object, *explained.why);
        if (!explained.counters.empty()) object["counters"] = counters_to_json(explained.counters);
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace redtune::cli
