#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace redtune::search {

/// Rows of equally many numbers, one row after another.
struct FeatureMatrix {
    std::size_t width = 0;       ///< numbers of a row
    std::vector<double> values;  ///< rows x width

    std::span<const double> row(std::size_t i) const { return std::span(values).subspan(i * width, width); }
};

/// A regression model of extremely randomised trees (Geurts, Ernst and Wehenkel, Machine Learning 63, 2006). Each tree
/// is grown on all examples. A node draws one random threshold for each feature and splits at the one that leaves the
/// least variance.
class RegressionForest {
  public:
    /// Fits the model.
    /// @param features of all rows, also of those that are not examples
    /// @param examples rows of `features` that the model learns from; not empty
    /// @param targets the value of each example
    /// @param random the same state gives the same model on every machine
    RegressionForest(const FeatureMatrix& features, std::span<const std::size_t> examples,
                     std::span<const double> targets, std::mt19937_64& random);

    /// The mean of the trees' predictions, and their standard deviation, which is large where the model knows little.
    struct Prediction {
        double mean = 0;
        double deviation = 0;
    };
    Prediction predict(std::span<const double> row) const;

  private:
    struct Node {
        std::size_t feature = 0;
        double threshold = 0;    ///< a row goes left if its feature is below it
        std::uint32_t left = 0;  ///< index of the left child; 0: the node is a leaf
        std::uint32_t right = 0;
        double value = 0;  ///< mean of the targets
    };
    using Tree = std::vector<Node>;
    struct Example;
    class TreeBuilder;

    std::vector<Tree> trees_;
};

}  // namespace redtune::search
