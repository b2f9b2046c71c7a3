#include "tuner/launch/arguments.h"

namespace redtune::launch {

Arguments arguments_of(const LaunchPlan& plan, const Launch& step, const InputArrays& input, std::uint64_t output,
                       const WorkspaceParts& workspace) {
    const bool reads_input = step.role == KernelRole::first;
    return {reads_input ? input.first : workspace.slots + step.read_slot * plan.slot_bytes,
            input.second,
            step.n,
            step.columns == 0 ? step.row_length : step.columns,
            plan.elements_per_result,
            output,
            workspace.header,
            workspace.slots + step.write_slot * plan.slot_bytes};
}

CountedArguments arguments_of(const LaunchPlan& plan, const Launch& step, const InputArrays& input,
                              const DeviceCount& count, std::uint64_t output, const WorkspaceParts& workspace) {
    const bool reads_input = step.role == KernelRole::first;
    const Arguments known = arguments_of(plan, step, input, output, workspace);
    return {known.input,
            known.second,
            reads_input ? count.address : known.n,
            reads_input ? count.most : known.row_length,
            count.address,
            count.most,
            known.output,
            known.header,
            known.slots};
}

}  // namespace redtune::launch
