#include "tuner/core/finish.h"

#include <fmt/format.h>

#include "tuner/core/named.h"
#include "tuner/core/operator.h"

namespace redtune {

namespace {

constexpr int hopper = 90;

// Largest grids of the finish `packed`, which sums the partials and counts the blocks in different bits of the same
// words. BinnedFloat::max_summands and max_packed_parts in kernels_src/ must be the same numbers.
constexpr std::uint64_t most_packed_floats = 4095;
constexpr std::uint64_t most_packed_64_bit_integers = 0xffff;

constexpr std::array names = {
    Named<Finish>{"two_kernel", Finish::two_kernel}, Named<Finish>{"dependent", Finish::dependent},
    Named<Finish>{"ticket", Finish::ticket},         Named<Finish>{"publish", Finish::publish},
    Named<Finish>{"cluster", Finish::cluster},       Named<Finish>{"cluster_publish", Finish::cluster_publish},
    Named<Finish>{"atomic", Finish::atomic},         Named<Finish>{"packed", Finish::packed}};

constexpr std::array<FinishTraits, 8> traits_table = {{
    {.finish = Finish::two_kernel, .slots = SlotUse::partial, .continuation = Continuation::combine_partials},
    {.finish = Finish::dependent,
     .slots = SlotUse::partial,
     .continuation = Continuation::combine_partials,
     .second_launch_is_pdl = true,
     .minimum_compute_capability = hopper},
    {.finish = Finish::ticket, .slots = SlotUse::partial},
    {.finish = Finish::publish, .slots = SlotUse::published, .needs_forward_progress = true},
    {.finish = Finish::cluster, .minimum_compute_capability = hopper, .needs_cluster = true},
    {.finish = Finish::cluster_publish,
     .slots = SlotUse::published,
     .minimum_compute_capability = hopper,
     .needs_forward_progress = true,
     .needs_cluster = true},
    {.finish = Finish::atomic, .most_accumulator_bytes = 8, .combines_in_fixed_order = false},
    {.finish = Finish::packed,
     .slots = SlotUse::overflow,
     .needs_forward_progress = true,
     .needs_addition = true,
     .most_accumulator_bytes = 8},
}};

/// Returns whether every order of combination gives the same bits.
bool is_exact(const Problem& problem) noexcept {
    return rounding_of(problem) == Rounding::none;
}

}  // namespace

std::span<const FinishTraits> finishes() noexcept {
    return traits_table;
}

const FinishTraits& traits_of(Finish finish) noexcept {
    return traits_table[static_cast<std::size_t>(finish)];
}

std::string_view to_string(Finish finish) noexcept {
    return name_of(names, finish);
}

Finish parse_finish(std::string_view name) {
    return parse_named(names, "finish", name);
}

std::vector<std::string> finish_names() {
    return names_of(names);
}

bool is_supported(Finish finish, const Problem& problem, int compute_capability) noexcept {
    const FinishTraits& traits = traits_of(finish);
    if (compute_capability < traits.minimum_compute_capability) return false;
    if (accumulator_bytes(problem) > traits.most_accumulator_bytes) return false;
    if (traits.needs_addition && !adds(problem)) return false;
    // The finish `packed` sums rounded accumulators in bins of exponents, which are for f32 only.
    return finish != Finish::packed || is_exact(problem) || problem.accumulator == Type::f32;
}

std::uint32_t slot_bytes(Finish finish, const Problem& problem) noexcept {
    const std::uint32_t bytes = accumulator_bytes(problem);
    if (needs_zeroed_slots(finish, problem)) return bytes == 4 ? 8 : 16;
    return traits_of(finish).slots == SlotUse::partial ? bytes : 0;
}

bool needs_zeroed_slots(Finish finish, const Problem& problem) noexcept {
    switch (traits_of(finish).slots) {
        case SlotUse::none:
        case SlotUse::partial:
            return false;
        case SlotUse::published:
            return true;
        case SlotUse::overflow:
            return !is_exact(problem) || accumulator_bytes(problem) != 4;
    }
    return false;
}

std::uint64_t most_blocks(Finish finish, const Problem& problem) noexcept {
    if (finish != Finish::packed) return max_grid;
    if (!is_exact(problem)) return most_packed_floats;
    return accumulator_bytes(problem) == 4 ? max_grid : most_packed_64_bit_integers;
}

bool is_deterministic(Finish finish, const Problem& problem) noexcept {
    return traits_of(finish).combines_in_fixed_order || is_exact(problem);
}

std::span<const FinishValue> finish_values() noexcept {
    static constexpr FinishValue values[] = {
        {"continuation",
         [](Finish f, const Problem&) -> Value { return std::string(to_string(traits_of(f).continuation)); }},
        {"combine_pdl",
         [](Finish f, const Problem&) -> Value { return std::int64_t{traits_of(f).second_launch_is_pdl}; }},
        {"slot_bytes", [](Finish f, const Problem& p) -> Value { return std::int64_t{slot_bytes(f, p)}; }},
        {"slots_zeroed", [](Finish f, const Problem& p) -> Value { return std::int64_t{needs_zeroed_slots(f, p)}; }},
        {"deterministic", [](Finish f, const Problem& p) -> Value { return std::int64_t{is_deterministic(f, p)}; }}};
    return values;
}

std::string describe(const FinishTraits& traits) {
    return fmt::format("{} slots={} continuation={} pdl={} sm={} progress={} cluster={} addition={} bytes={} fixed={}",
                       to_string(traits.finish), static_cast<int>(traits.slots), to_string(traits.continuation),
                       traits.second_launch_is_pdl, traits.minimum_compute_capability, traits.needs_forward_progress,
                       traits.needs_cluster, traits.needs_addition, traits.most_accumulator_bytes,
                       traits.combines_in_fixed_order);
}

}  // namespace redtune
