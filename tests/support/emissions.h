#pragma once

#include <optional>
#include <string>
#include <vector>

#include "redtune/catalog.h"
#include "tests/support/database_fixture.h"
#include "tuner/emit/emission.h"

namespace redtune::test_support {

/// A problem that is tuned for a device, in one regime.
struct TunedProblem {
    Problem problem;
    std::string device;
    Regime regime = Regime::cold;
};

/// The shipped winners, and a user's database with winners of every family for a device that does not exist.
class EmissionSource {
  public:
    /// The device of the user's database. Its compute capability is 9.0.
    static constexpr std::string_view made_up_device = "NVIDIA Test GPU";

    /// @param with_every_family writes the user's database; false: it stays empty
    explicit EmissionSource(bool with_every_family);

    /// Returns the problems of the shipped database, those in the cold regime first.
    std::vector<TunedProblem> shipped() const;
    /// Returns the problems of the user's database.
    std::vector<TunedProblem> with_every_family() const;

    /// Returns the code for sizes of `least` to `most` elements; 0: the smallest and the largest tuned size.
    emit::Emission emission(const TunedProblem& tuned, const std::string& name, std::uint64_t least = 0,
                            std::uint64_t most = 0) const;

    const Catalog& catalog() const { return *catalog_; }
    const std::vector<Family>& families() const { return families_; }

  private:
    std::vector<TunedProblem> problems_of(std::string_view device) const;

    db::TemporaryFolder folder_;
    jit::SourceSet sources_;
    std::vector<Family> families_;
    std::optional<Catalog> catalog_;
    std::optional<emit::ProvenanceFinder> measurements_;
};

}  // namespace redtune::test_support
