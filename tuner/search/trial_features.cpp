#include "tuner/search/trial_features.h"

#include <cmath>
#include <map>
#include <set>
#include <variant>

namespace redtune::search {

namespace {

constexpr double missing = -1;
/// The ratio of a configuration that is not in the prior: it did worse than those of the prior, or was not measured.
constexpr double not_in_prior = prior_within + 0.1;

double log_of(double number) {
    return std::log2(1 + number);
}

/// The names that occur in trials: families, parameters, and the values of parameters that are text.
struct Names {
    std::set<std::string> families;
    std::set<std::string> parameters;
    std::map<std::string, double> texts;  ///< their places in the alphabet

    explicit Names(std::span<const Trial> trials) {
        for (const Trial& trial : trials) {
            families.insert(trial.configuration.family);
            for (const Parameter& parameter : trial.configuration.parameters) {
                parameters.insert(parameter.name);
                if (const auto* text = std::get_if<std::string>(&parameter.value)) texts.emplace(*text, 0);
            }
        }
        double place = 0;
        for (auto& [text, value] : texts) value = place++;
    }

    double number_of(const Value* value) const {
        if (value == nullptr) return missing;
        if (const auto* whole = std::get_if<std::int64_t>(value)) return log_of(static_cast<double>(*whole));
        if (const auto* real = std::get_if<double>(value)) return log_of(*real);
        return texts.at(std::get<std::string>(*value));
    }
};

}  // namespace

FeatureMatrix features_of(std::span<const Trial> trials, std::uint64_t n, const Prior& prior) {
    const Names names(trials);
    FeatureMatrix features;
    for (const Trial& trial : trials) {
        const Configuration& configuration = trial.configuration;
        const auto add = [&](double value) { features.values.push_back(value); };
        for (const std::string& family : names.families) add(family == configuration.family ? 1 : 0);
        for (const std::string& name : names.parameters) add(names.number_of(configuration.find(name)));
        add(log_of(trial.rule.block));
        add(log_of(static_cast<double>(trial.rule.tile)));
        add(log_of(static_cast<double>(trial.bytes_in_flight)));
        const auto tiles = std::ceil(static_cast<double>(n) / static_cast<double>(trial.rule.tile));
        add(log_of(tiles));
        add(static_cast<double>(n) / (tiles * static_cast<double>(trial.rule.tile)));
        const auto known = prior.find(to_string(configuration));
        add(known == prior.end() ? not_in_prior : known->second);
    }
    features.width = trials.empty() ? 0 : features.values.size() / trials.size();
    return features;
}

}  // namespace redtune::search
