#include "tuner/search/regression_forest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace redtune::search {

namespace {

constexpr std::size_t trees = 32;
constexpr std::size_t least_examples = 3;  // of a node that is split

/// Count, sum and sum of squares of targets.
struct Moments {
    double count = 0;
    double sum = 0;
    double squares = 0;

    void add(double target) {
        ++count;
        sum += target;
        squares += target * target;
    }
    /// Returns the sum of squared differences to the mean.
    double scatter() const { return count == 0 ? 0 : squares - sum * sum / count; }
};

/// Returns a number from 0 to 1 that is the same on every machine, unlike those of std::uniform_real_distribution.
double fraction(std::mt19937_64& random) {
    constexpr int bits = std::numeric_limits<double>::digits;
    return std::ldexp(static_cast<double>(random() >> (64 - bits)), -bits);
}

}  // namespace

struct RegressionForest::Example {
    std::span<const double> row;
    double target = 0;
};

/// Grows one tree.
class RegressionForest::TreeBuilder {
  public:
    TreeBuilder(std::size_t width, std::mt19937_64& random) : width_(width), random_(random) {}

    Tree grow(std::span<Example> examples) {
        tree_.clear();
        add_node(examples);
        return std::move(tree_);
    }

  private:
    struct Split {
        std::size_t feature = 0;
        double threshold = 0;
        double scatter = std::numeric_limits<double>::infinity();
    };

    std::uint32_t add_node(std::span<Example> examples) {
        const auto index = static_cast<std::uint32_t>(tree_.size());
        Moments moments;
        for (const Example& example : examples) moments.add(example.target);
        tree_.push_back({.value = moments.sum / moments.count});
        if (examples.size() < least_examples || moments.scatter() <= 1e-12 * moments.squares) return index;
        const Split split = best_split(examples);
        if (std::isinf(split.scatter)) return index;
        const auto middle = std::partition(examples.begin(), examples.end(), [&](const Example& example) {
            return example.row[split.feature] < split.threshold;
        });
        const auto lefts = static_cast<std::size_t>(middle - examples.begin());
        const std::uint32_t left = add_node(examples.first(lefts));
        const std::uint32_t right = add_node(examples.subspan(lefts));
        tree_[index] = {split.feature, split.threshold, left, right, tree_[index].value};
        return index;
    }

    /// Returns the best of one random split for each feature; its scatter is infinite if all rows are equal.
    Split best_split(std::span<const Example> examples) {
        Split best;
        for (std::size_t feature = 0; feature < width_; ++feature) {
            const auto value = [&](const Example& example) { return example.row[feature]; };
            const auto [least, greatest] = std::ranges::minmax(examples, {}, value);
            const double low = value(least);
            const double high = value(greatest);
            if (low == high) continue;
            // Neither side is empty: the threshold is above the least value and at most the greatest one.
            const double threshold = high - (high - low) * fraction(random_);
            if (threshold <= low) continue;
            Moments below;
            Moments above;
            for (const Example& example : examples) {
                (value(example) < threshold ? below : above).add(example.target);
            }
            const double scatter = below.scatter() + above.scatter();
            if (scatter < best.scatter) best = {feature, threshold, scatter};
        }
        return best;
    }

    std::size_t width_;
    std::mt19937_64& random_;
    Tree tree_;
};

RegressionForest::RegressionForest(const FeatureMatrix& features, std::span<const std::size_t> examples,
                                   std::span<const double> targets, std::mt19937_64& random) {
    std::vector<Example> all;
    for (std::size_t i = 0; i < examples.size(); ++i) all.push_back({features.row(examples[i]), targets[i]});
    TreeBuilder builder(features.width, random);
    for (std::size_t i = 0; i < trees; ++i) trees_.push_back(builder.grow(all));
}

RegressionForest::Prediction RegressionForest::predict(std::span<const double> row) const {
    Moments moments;
    for (const Tree& tree : trees_) {
        std::size_t node = 0;
        while (tree[node].left != 0) {
            node = row[tree[node].feature] < tree[node].threshold ? tree[node].left : tree[node].right;
        }
        moments.add(tree[node].value);
    }
    return {moments.sum / moments.count, std::sqrt(std::max(0.0, moments.scatter() / moments.count))};
}

}  // namespace redtune::search
