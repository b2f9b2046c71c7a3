#include "tests/emulator/families/family_call.h"

#include <algorithm>
#include <cstring>

#include "tests/emulator/families/kernel_table.h"
#include "tuner/launch/arguments.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emulated {

namespace {

std::uint64_t address(const unsigned char* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

/// Returns whether all blocks of the first launch must run from the start, because blocks wait for others.
bool is_all_resident(const Candidate& candidate) {
    const Value* finish = candidate.configuration.find("finish");
    return finish != nullptr && (to_string(*finish).ends_with("publish") || to_string(*finish) == "packed");
}

/// A thread has a stack of its own, which takes two of the 65,530 mappings that Linux gives a process.
constexpr std::uint64_t most_threads_at_once = 30'000;

}  // namespace

bool can_run(const Case& entry, const Extents& extents) {
    if (!is_all_resident(entry.candidate)) return true;
    const LaunchPlan plan = make_plan(entry.candidate.rule, extents);
    return plan.count == 0 || std::uint64_t{plan.steps[0].grid} * plan.steps[0].block <= most_threads_at_once;
}

FamilyCall::FamilyCall(const Case& entry, const Elements& elements, const CountInMemory& count, std::uint64_t offset)
    : FamilyCall(entry, elements, Extents{.reduced = std::min(count.number, count.most)}, offset,
                 Extents{.reduced = count.most}) {
    count_ = memory_.allocate<std::uint64_t>(1, emulator::Access::read_only, 0, "the number of elements");
    *count_ = count.number;
    most_ = count.most;
}

FamilyCall::FamilyCall(const Case& entry, const Elements& elements, const Extents& extents, std::uint64_t offset,
                       const Extents& planned)
    : entry_(entry),
      plan_(make_plan(entry.candidate.rule, planned)),
      bytes_(extents.n() * size_of(entry.problem.input)),
      results_(extents.results()) {
    const auto access = entry.candidate.destructive ? emulator::Access::read_write : emulator::Access::read_only;
    const std::uint64_t size = size_of(entry.problem.input);
    input_ = memory_.allocate<unsigned char>(bytes_, access, offset * size, "the input");
    if (entry.problem.arrays == 2) {
        second_ = memory_.allocate<unsigned char>(bytes_, emulator::Access::read_only, 0, "the second input");
    }
    pristine_.resize(bytes_);
    for (std::uint64_t i = 0; i < extents.n(); ++i) {
        const std::uint64_t value = elements(i, false);
        std::memcpy(pristine_.data() + i * size, &value, size);
        if (second_ == nullptr) continue;
        const std::uint64_t other = elements(i, true);
        std::memcpy(second_ + i * size, &other, size);
    }
    output_bytes_ = results_ * size_of(entry.problem.output);
    output_ = memory_.allocate<unsigned char>(output_bytes_, emulator::Access::uninitialised, 0, "the output");
    workspace_ =
        memory_.allocate<unsigned char>(plan_.workspace_bytes, emulator::Access::uninitialised, 0, "the workspace");
    memory_.fill(workspace_, plan_.zeroed_bytes, 0);
    expected_ = test_support::host_results(entry.problem, pristine_.data(), second_, extents);
}

std::string FamilyCall::run(std::uint64_t seed) {
    std::memcpy(input_, pristine_.data(), bytes_);
    memory_.mark_uninitialised(output_, output_bytes_);
    memory_.mark_uninitialised(workspace_ + plan_.zeroed_bytes, plan_.workspace_bytes - plan_.zeroed_bytes);
    for (const redtune::Launch& step : plan_.launches()) {
        if (std::string wrong = run(step, seed); !wrong.empty()) return wrong;
    }
    if (!memory_.initialised(output_, output_bytes_)) return "a result was not written";
    for (std::uint64_t i = 0; i < plan_.zeroed_bytes; ++i) {
        if (workspace_[i] != 0) return "the workspace was not left zeroed for the next call";
    }
    return "";
}

std::uint64_t FamilyCall::result(std::uint64_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, output_ + i * size_of(entry_.problem.output), size_of(entry_.problem.output));
    return bits;
}

std::string FamilyCall::run(const redtune::Launch& step, std::uint64_t seed) {
    const auto place = count_ == nullptr ? launch::CountPlace::arguments : launch::CountPlace::device_memory;
    const launch::KernelRequest request(entry_.candidate.configuration, entry_.candidate.rule, place);
    const std::string name = launch::kernel_name(*entry_.family, entry_.problem, request, step.role).expression;
    const auto kernel = kernel_table().find(name);
    if (kernel == kernel_table().end()) return "no such kernel in this program: " + name;
    const launch::InputArrays input{address(input_), address(second_)};
    const auto workspace = launch::WorkspaceParts::of(address(workspace_));
    const launch::Arguments arguments = launch::arguments_of(plan_, step, input, address(output_), workspace);
    const launch::CountedArguments counted = launch::arguments_of(
        plan_, step, input, {reinterpret_cast<std::uint64_t>(count_), most_}, address(output_), workspace);
    const void* passed = count_ == nullptr ? static_cast<const void*>(&arguments) : &counted;
    emulator::Launch shape;
    shape.grid = step.grid;
    shape.block = step.block;
    shape.shared_bytes = step.shared_bytes;
    shape.cluster = step.cluster;
    shape.all_resident = is_all_resident(entry_.candidate);
    const auto report = emulator::run([&] { kernel->second(passed); }, shape, memory_, {.seed = seed});
    std::string text;
    for (const std::string& defect : report.defects) text += defect + "\n";
    return text;
}

}  // namespace redtune::emulated
