#include "tuner/search/evolutionary_strategy.h"

#include <algorithm>
#include <utility>

#include "tuner/search/sampling.h"
#include "tuner/search/time_model.h"

namespace redtune::search {

namespace {

constexpr std::size_t first_generation = 16;
/// The kernels of a generation are compiled together, and the search waits for them, so the later ones are not small.
constexpr std::size_t later_generation = 14;
/// Trials of a later generation that are random neighbours of the fastest trial. They find a value of a parameter that
/// no parent has.
constexpr std::size_t neighbours_of_fastest = 8;
/// Trials of a later generation that a surrogate model chooses. They lead to families that the first generation missed,
/// which neighbours and crossings never do.
constexpr std::size_t of_surrogate = 4;
/// Spare trials that the model chooses at a time: the device waits while it learns.
constexpr std::size_t spares_at_a_time = 32;
/// With more screened trials than this, the model is not asked, because it would take long to learn from them.
constexpr std::size_t most_learned = 400;
static_assert(first_generation > most_likely);
/// As many of the prior begin a search if a similar problem was tuned in the cell.
constexpr std::size_t most_from_similar = 8;
constexpr std::size_t most_parents = 20;
constexpr std::size_t crossings_tried = 4;  // before a child is a neighbour of its parent instead

/// Returns the trials that begin the first generation: those that look-ups suggest, the best of the prior, and those
/// that are likely to be fast.
std::vector<std::size_t> trials_to_begin_with(const CellKnowledge& knowledge) {
    const std::size_t beside_likely = first_generation - knowledge.likely.size();
    const std::size_t from_prior = knowledge.cell.is_known ? std::max(beside_likely, most_from_similar) : beside_likely;
    std::vector<std::size_t> first = knowledge.suggested;
    const auto add = [&](const std::vector<std::size_t>& trials) {
        for (const std::size_t trial : trials) {
            if (std::ranges::find(first, trial) == first.end()) first.push_back(trial);
        }
    };
    add(prior_and_sample(knowledge.cell.trials, knowledge.prior, from_prior, 0));
    add(knowledge.likely);
    if (first.size() > first_generation) first.resize(first_generation);
    return first;
}

}  // namespace

EvolutionaryStrategy::EvolutionaryStrategy(const CellKnowledge& knowledge, std::uint64_t seed)
    : neighbourhood_(knowledge.families, knowledge.cell.trials),
      standings_(knowledge.cell.trials.size(), unscreened),
      first_(trials_to_begin_with(knowledge)),
      is_requested_(knowledge.cell.trials.size()),
      has_kernels_(knowledge.has_kernels),
      random_(knowledge.cell.trials.size(), seed),
      model_(knowledge, seed) {
    for (std::size_t i = 0; i < standings_.size(); ++i) trial_at_.emplace(place_of(i), i);
}

std::vector<std::size_t> EvolutionaryStrategy::next() {
    keep_fastest_parents();
    std::vector<std::size_t> generation;
    const auto add = [&](std::size_t trial) {
        generation.push_back(trial);
        is_requested_[trial] = true;
    };
    for (const std::size_t trial : std::exchange(first_, {})) {
        if (is_left(trial)) add(trial);
    }
    if (!parents_.empty()) {
        for (std::size_t i = 0; i < neighbours_of_fastest; ++i) {
            if (const auto trial = mutated(parents_.front())) add(*trial);
        }
        while (generation.size() < later_generation - of_surrogate) {
            const auto trial = child();
            if (!trial) break;
            add(*trial);
        }
        if (screened_ <= most_learned) {
            for (const std::size_t trial : model_.lowest_bounds(standings_, is_requested_, of_surrogate)) add(trial);
        }
    }
    const std::size_t size = parents_.empty() ? first_generation : later_generation;
    while (generation.size() < size) {
        std::optional<std::size_t> trial = child();
        if (!trial) trial = random_.next([&](std::size_t i) { return is_left(i); });
        if (!trial) break;
        add(*trial);
    }
    return generation;
}

std::optional<std::size_t> EvolutionaryStrategy::spare(const std::function<bool(std::size_t)>& is_ready) {
    auto trial = ready_descendant(is_ready);
    if (!trial) trial = ready_of_model(is_ready);
    if (trial) is_requested_[*trial] = true;
    return trial;
}

std::optional<std::size_t> EvolutionaryStrategy::ready_descendant(const std::function<bool(std::size_t)>& is_ready) {
    keep_fastest_parents();
    for (const std::size_t fast : parents_) {
        std::vector<std::size_t> neighbours = neighbourhood_.of(fast);
        std::erase_if(neighbours, [&](std::size_t i) { return !is_left(i) || !is_ready(i); });
        if (!neighbours.empty()) return neighbours[random_.below(neighbours.size())];
    }
    for (std::size_t i = 0; i < crossings_tried && !parents_.empty(); ++i) {
        const auto trial = crossed(parent(), parent());
        if (trial && is_ready(*trial)) return trial;
    }
    return std::nullopt;
}

std::optional<std::size_t> EvolutionaryStrategy::ready_of_model(const std::function<bool(std::size_t)>& is_ready) {
    if (spares_of_model_.empty() && !parents_.empty() && screened_ <= most_learned) {
        spares_of_model_ = chosen_by_model(is_ready);
    }
    while (!spares_of_model_.empty()) {
        const std::size_t trial = spares_of_model_.back();
        spares_of_model_.pop_back();
        if (is_left(trial) && is_ready(trial)) return trial;
    }
    return std::nullopt;
}

/// Returns spare trials. The best one, as the model expects, is at the end. The model need not choose among few: then
/// all are returned, in any order.
std::vector<std::size_t> EvolutionaryStrategy::chosen_by_model(const std::function<bool(std::size_t)>& is_ready) {
    std::vector<bool> is_left_out(standings_.size());
    std::vector<std::size_t> offered;
    for (std::size_t i = 0; i < is_left_out.size(); ++i) {
        is_left_out[i] = !is_left(i) || !is_ready(i);
        if (!is_left_out[i]) offered.push_back(i);
    }
    if (offered.size() <= spares_at_a_time / 2) return offered;
    std::vector<std::size_t> chosen = model_.lowest_bounds(standings_, is_left_out, spares_at_a_time);
    std::ranges::reverse(chosen);
    return chosen;
}

void EvolutionaryStrategy::tell(std::size_t trial, const Measurement& screening) {
    const bool is_ok = screening.status == Status::ok;
    standings_[trial] = is_ok ? screening.median_us : failed_or_pruned;
    ++screened_;
    if (is_ok) parents_.push_back(trial);
}

void EvolutionaryStrategy::tell_pruned(std::size_t trial) {
    standings_[trial] = failed_or_pruned;
}

EvolutionaryStrategy::Place EvolutionaryStrategy::place_of(std::size_t trial) const {
    return {neighbourhood_.trials()[trial].configuration.family, neighbourhood_.coordinates(trial)};
}

/// Returns whether a trial has neither been screened nor requested.
bool EvolutionaryStrategy::is_left(std::size_t trial) const {
    return standings_[trial] == unscreened && !is_requested_[trial];
}

void EvolutionaryStrategy::keep_fastest_parents() {
    std::ranges::stable_sort(parents_, {}, [&](std::size_t trial) { return standings_[trial]; });
    if (parents_.size() > most_parents) parents_.resize(most_parents);
}

/// Returns the faster of two random parents.
std::size_t EvolutionaryStrategy::parent() {
    const std::size_t a = parents_[random_.below(parents_.size())];
    const std::size_t b = parents_[random_.below(parents_.size())];
    return standings_[a] <= standings_[b] ? a : b;
}

/// Returns a trial that is bred from two others and is left; nothing if no trial has a time, or none was found.
std::optional<std::size_t> EvolutionaryStrategy::child() {
    if (parents_.empty()) return std::nullopt;
    const std::size_t first = parent();
    for (std::size_t i = 0; i < crossings_tried; ++i) {
        if (const auto trial = crossed(first, parent())) return trial;
    }
    return mutated(first);
}

/// Returns the trial that has each parameter of one of two trials, picked at random; nothing if it is not left, or if
/// the trials are of different families.
std::optional<std::size_t> EvolutionaryStrategy::crossed(std::size_t first, std::size_t second) {
    Place place = place_of(first);
    const Place other = place_of(second);
    if (place.first != other.first) return std::nullopt;
    for (std::size_t i = 0; i < place.second.size(); ++i) {
        if (random_.below(2) == 0) place.second[i] = other.second[i];
    }
    const auto found = trial_at_.find(place);
    if (found == trial_at_.end() || !is_left(found->second)) return std::nullopt;
    return found->second;
}

/// Returns a random neighbour that is left; nothing if none is. Every other time it is one whose kernels need not be
/// compiled, if there is one.
std::optional<std::size_t> EvolutionaryStrategy::mutated(std::size_t trial) {
    std::vector<std::size_t> neighbours = neighbourhood_.of(trial);
    std::erase_if(neighbours, [&](std::size_t i) { return !is_left(i); });
    if (random_.below(2) == 0) {
        const auto without_kernels = std::partition(neighbours.begin(), neighbours.end(), has_kernels_);
        if (without_kernels != neighbours.begin()) neighbours.erase(without_kernels, neighbours.end());
    }
    if (neighbours.empty()) return std::nullopt;
    return neighbours[random_.below(neighbours.size())];
}

}  // namespace redtune::search
