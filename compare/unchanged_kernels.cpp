#include "compare/unchanged_kernels.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compare/machine_code.h"
#include "redtune/error.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::compare {

namespace {

/// The derived values of a family that its launches depend on, with their names.
std::vector<std::pair<std::string, std::string>> launch_values(const Family& family) {
    std::vector<std::pair<std::string, std::string>> values;
    for (const Expression& derived : family.derived) {
        if (derived.name != "bytes_in_flight") values.emplace_back(derived.name, derived.sql);
    }
    return values;
}

/// Returns the kernels of a configuration, or none if the family cannot have the configuration.
std::vector<jit::KernelName> names_of(const db::MeasuredKernels& measured, const Family& family) {
    std::vector<jit::KernelName> names;
    try {
        for (const KernelRole role : roles_of(measured.rule)) {
            names.push_back(
                launch::kernel_name(family, measured.problem, {measured.configuration, measured.rule}, role));
        }
    } catch (const InputError&) {
        return {};
    }
    return names;
}

}  // namespace

std::vector<db::MeasuredKernels> find_unchanged_kernels(const std::vector<db::MeasuredKernels>& measured,
                                                        KernelVersion& new_version, KernelVersion& old_version) {
    if (measured.empty()) return {};
    const std::string& name = measured.front().configuration.family;
    const Family& family = jit::find_family(new_version.families, name);
    if (launch_values(family) != launch_values(jit::find_family(old_version.families, name))) return {};

    std::set<jit::KernelName> names;
    for (const db::MeasuredKernels& each : measured) {
        for (jit::KernelName& kernel : names_of(each, family)) names.insert(std::move(kernel));
    }
    const std::vector<jit::KernelName> all(names.begin(), names.end());
    const std::vector<jit::CompiledKernel> by_new = new_version.compiler.compile(all);
    const std::vector<jit::CompiledKernel> by_old = old_version.compiler.compile(all);
    std::set<jit::KernelName> same;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (have_same_code(by_new[i], by_old[i])) same.insert(all[i]);
    }

    std::vector<db::MeasuredKernels> unchanged;
    std::ranges::copy_if(measured, std::back_inserter(unchanged), [&](const db::MeasuredKernels& each) {
        const std::vector<jit::KernelName> kernels = names_of(each, family);
        return !kernels.empty() &&
               std::ranges::all_of(kernels, [&](const jit::KernelName& kernel) { return same.contains(kernel); });
    });
    return unchanged;
}

}  // namespace redtune::compare
