#include "tests/support/emissions.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "db/space.h"
#include "tests/support/source_path.h"
#include "tuner/jit/operator_file.h"

namespace redtune::test_support {

namespace {

/// A problem of the user's database, and the regime that it is tuned in.
struct MadeUpProblem {
    Problem problem;
    Regime regime = Regime::cold;
};

MadeUpProblem made_up(const char* op, Type type, const Shape& shape, Regime regime = Regime::cold) {
    MadeUpProblem made{with_shape(make_problem(op, type), shape), regime};
    made.problem.destructive = true;  // so that every family has candidates
    return made;
}

std::vector<MadeUpProblem> made_up_problems(const jit::OperatorFile& sum_of_cubes) {
    return {made_up("sum", Type::f32, {}),
            made_up("sum", Type::f32, {}, Regime::back_to_back),
            made_up("sum", Type::i8, {}),
            made_up("argmin", Type::f16, {}),
            made_up("argmax", Type::f64, {.row_length = 77}),
            made_up("dot", Type::f64, {}),
            made_up("mean", Type::i32, {.row_length = 96}),
            made_up("max", Type::bf16, {}),
            made_up("any", Type::u8, {}),
            made_up("l2_norm", Type::f16, {.row_length = 4096}),
            made_up("product", Type::u64, {}, Regime::warm),
            made_up("sum", Type::f32, {.row_length = 100'000}),
            made_up("mean", Type::f32, {.columns = 31}),
            made_up("argmax", Type::f16, {.columns = 300}),
            {jit::make_problem(sum_of_cubes, Type::f32), Regime::cold}};
}

/// Returns the family with at most two of the values of each parameter, because listing all candidates takes long.
Family thinned(Family family, std::mt19937_64& random) {
    for (ParameterValues& parameter : family.parameters) {
        std::shuffle(parameter.values.begin(), parameter.values.end(), random);
        if (parameter.values.size() > 2) parameter.values.resize(2);
    }
    return family;
}

/// Returns a random candidate of a family; nullopt if it has none.
std::optional<Candidate> random_candidate(const Family& family, const DeviceInfo& device, const MadeUpProblem& made,
                                          std::uint64_t n, std::mt19937_64& random) {
    constexpr int most_attempts = 20;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        const auto candidates = db::candidates(thinned(family, random), device, made.problem, n, made.regime);
        if (!candidates.empty()) return candidates[random() % candidates.size()];
    }
    return std::nullopt;
}

/// Makes two winners of every family that can solve the problem, each at a size of its own.
void add_winners(db::Store& store, const DeviceInfo& device, const MadeUpProblem& made,
                 const std::vector<Family>& families) {
    std::mt19937_64 random(7);
    const std::string_view shape = to_string(shape_of(made.problem).kind());
    const std::uint64_t unit = shape_of(made.problem).unit();
    for (std::uint64_t turn = 1; turn <= 2; ++turn) {
        std::uint64_t n = std::max<std::uint64_t>(1, 3000 / unit) * unit * turn;
        for (const Family& family : families) {
            if (std::find(family.shapes.begin(), family.shapes.end(), shape) == family.shapes.end()) continue;
            const auto chosen = random_candidate(family, device, made, n, random);
            if (!chosen) continue;
            db::add_winner(store, device, made.problem, n, made.regime, *chosen, 1e-6 * static_cast<double>(n));
            n = n / unit * 7 / 4 * unit + unit;
        }
    }
}

}  // namespace

EmissionSource::EmissionSource(bool with_every_family) : sources_(jit::SourceSet::load()) {
    const std::filesystem::path user = folder_ / "user.db";
    const jit::OperatorFile sum_of_cubes = jit::read_operator_file(test::source_path("examples/sum_of_cubes.cuh"));
    sources_.add_operator(sum_of_cubes.path, sum_of_cubes.text);
    families_ = sources_.families();
    if (with_every_family) {
        db::Store store = db::Store::open(user, db::Access::read_write);
        DeviceInfo device = db::h200();
        device.name = made_up_device;
        device.max_shared_bytes_per_block = 232'448;
        for (const MadeUpProblem& made : made_up_problems(sum_of_cubes)) add_winners(store, device, made, families_);
    }
    catalog_ = Catalog::open({.user_database = user, .system_data = test::shipped_data()});
    measurements_.emplace(db::layers(user, test::shipped_data()));
}

std::vector<TunedProblem> EmissionSource::problems_of(std::string_view device) const {
    std::vector<TunedProblem> tuned;
    for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
        for (const Problem& problem : catalog_->problems(device)) {
            if (catalog_->tuned_sizes(problem, device, regime).empty()) continue;
            tuned.push_back({problem, std::string(device), regime});
        }
    }
    return tuned;
}

std::vector<TunedProblem> EmissionSource::shipped() const {
    return problems_of("NVIDIA H200");
}

std::vector<TunedProblem> EmissionSource::with_every_family() const {
    return problems_of(made_up_device);
}

emit::Emission EmissionSource::emission(const TunedProblem& tuned, const std::string& name, std::uint64_t least,
                                        std::uint64_t most) const {
    const auto sizes = catalog_->tuned_sizes(tuned.problem, tuned.device, tuned.regime);
    const emit::Request request{
        tuned.problem, tuned.device,  tuned.regime, least == 0 ? sizes.front() : least, most == 0 ? sizes.back() : most,
        name,          "redtune emit"};
    auto emission = emit::make_emission(request, *catalog_, *measurements_, sources_, families_);
    if (!emission) throw std::runtime_error("nothing is known for " + tuned.problem.op);
    return std::move(*emission);
}

}  // namespace redtune::test_support
