// Look-ups for the Python module redtune._lookup, which gives them their public form.
#include "python/src/lookup.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/location.h"
#include "db/migration.h"
#include "db/store.h"
#include "redtune/catalog.h"
#include "redtune/size.h"
#include "redtune/version.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/gpu/device.h"
#include "tuner/jit/current_software.h"
#include "tuner/jit/source_set.h"
#include "tuner/lookup/measured_regret.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

std::optional<Type> parse_optional_type(const std::optional<std::string>& name) {
    return name ? std::optional(parse_type(*name)) : std::nullopt;
}

Problem problem_of(const std::string& op, const std::string& dtype, const std::optional<std::string>& accumulator,
                   const std::optional<std::string>& output, const std::string& shape, const std::string& determinism) {
    Problem problem =
        with_shape(make_problem(op, parse_type(dtype), parse_optional_type(accumulator), parse_optional_type(output)),
                   parse_shape(shape));
    problem.determinism = parse_determinism(determinism);
    return problem;
}

nb::dict describe(const Problem& problem) {
    nb::dict fields;
    fields["op"] = problem.op;
    fields["dtype"] = std::string(to_string(problem.input));
    fields["accumulator"] = std::string(to_string(problem.accumulator));
    fields["output"] = std::string(to_string(problem.output));
    fields["shape"] = shape_name(problem);
    fields["determinism"] = std::string(to_string(problem.determinism));
    return fields;
}

nb::list names_of(const Staleness& stale) {
    nb::list names;
    if (stale.code) names.append("code");
    if (stale.driver) names.append("driver");
    if (stale.nvrtc) names.append("nvrtc");
    return names;
}

nb::object text_or_none(std::string_view text) {
    return text.empty() ? nb::none() : nb::object(nb::str(text.data(), text.size()));
}

/// Returns the number, or None in place of 0, which stands for an unknown one.
template <typename Number>
nb::object known_or_none(Number number) {
    return number > 0 ? nb::cast(number) : nb::none();
}

nb::dict describe(const Match& match) {
    nb::dict parameters;
    for (const Parameter& parameter : match.parameters) {
        parameters[parameter.name.c_str()] =
            std::visit([](const auto& value) { return nb::object(nb::cast(value)); }, parameter.value);
    }
    const Launch& first = match.plan.steps[0];
    const bool is_tuned = match.kind != MatchKind::default_rule;
    nb::dict fields;
    fields["device"] = text_or_none(match.device);
    fields["family"] = text_or_none(match.family);
    fields["parameters"] = parameters;
    fields["match"] = text_or_none(to_string(match.kind));
    fields["expected_us"] = known_or_none(match.expected_us);
    fields["gb_per_s"] = known_or_none(match.gb_per_s);
    fields["grid"] = first.grid;
    fields["block"] = first.block;
    fields["shared_bytes"] = first.shared_bytes;
    fields["launches"] = match.plan.count;
    fields["workspace_bytes"] = match.plan.workspace_bytes;
    fields["deterministic"] = match.deterministic;
    fields["tuned_n"] = is_tuned ? nb::cast(match.tuned_n) : nb::none();
    fields["tuned_device"] = text_or_none(match.tuned_device);
    fields["tuned_op"] = is_tuned ? nb::cast(match.tuned_problem->op) : nb::none();
    fields["tuned_dtype"] = is_tuned ? text_or_none(to_string(match.tuned_problem->input)) : nb::none();
    fields["measured_at"] = text_or_none(match.measured_at);
    fields["units"] = is_tuned ? nb::cast(match.units) : nb::none();
    fields["spread"] = known_or_none(match.spread);
    fields["stale"] = names_of(match.stale);
    return fields;
}

/// The options of a look-up.
struct LookUp {
    Problem problem;
    std::uint64_t n = 0;
    DeviceInfo device;
    SelectOptions options;
};

/// A catalog with the files that it was opened with.
struct OpenCatalog {
    explicit OpenCatalog(const std::optional<std::string>& user)
        : user_database(user ? std::filesystem::path(*user) : db::user_database_path()),
          catalog(Catalog::open({user_database, {}})) {}

    /// Returns the match as a dict, or a text that says why there is none.
    nb::object find(const LookUp& wanted) const {
        const Selector selector = catalog.select(wanted.problem, wanted.device, wanted.options);
        const std::optional<Match> match = selector.find(wanted.n);
        if (!match) return nb::cast(selector.why_not(wanted.n));
        nb::dict fields = describe(*match);
        const auto regret =
            find_regret(user_database, system_data_folder(), wanted.problem, wanted.options.regime, *match);
        fields["regret"] = regret ? nb::cast(regret->median) : nb::none();
        fields["largest_regret"] = regret ? nb::cast(regret->largest) : nb::none();
        fields.update(describe(wanted.problem));
        fields["n"] = wanted.n;
        fields["regime"] = std::string(to_string(wanted.options.regime));
        return fields;
    }

    std::filesystem::path user_database;
    Catalog catalog;
};

/// Returns the code of the built-in families, which the whole process shares, and the versions of driver and NVRTC if
/// the device is here.
Software software(bool is_device_here) {
    static const std::vector<Family> families = jit::SourceSet::load().families();
    const nb::gil_scoped_release released;  // find_nvrtc() takes the GIL
    return jit::current_software(families, is_device_here);
}

/// @param device the device's name, or the number of a GPU of this machine
std::pair<DeviceInfo, bool> find_device(const Catalog& catalog, const std::variant<int, std::string>& device) {
    if (const int* ordinal = std::get_if<int>(&device)) return {gpu::info_at(*ordinal), true};
    const std::string& name = std::get<std::string>(device);
    std::optional<DeviceInfo> info = catalog.find_device(name);
    if (!info) throw InputError("redtune knows no device '" + name + "'");
    return {std::move(*info), false};
}

std::vector<std::string> well_known_names() {
    std::vector<std::string> names;
    for (const DeviceInfo& device : well_known_devices()) names.push_back(device.name);
    return names;
}

std::vector<std::string> gpu_names() {
    std::vector<std::string> names;
    for (const gpu::Device& device : gpu::list_devices()) names.push_back(device.info.name);
    return names;
}

nb::object find(const OpenCatalog& self, const std::string& op, const std::string& dtype, std::uint64_t n,
                const std::variant<int, std::string>& device, const std::string& regime, const std::string& shape,
                const std::optional<std::string>& accumulator, const std::optional<std::string>& output,
                const std::string& determinism, std::optional<std::uint64_t> max_workspace_bytes, bool allow_pdl,
                bool allow_forward_progress, const std::vector<std::string>& kinds) {
    LookUp wanted;
    wanted.problem = problem_of(op, dtype, accumulator, output, shape, determinism);
    wanted.n = n;
    const auto [info, is_here] = find_device(self.catalog, device);
    wanted.device = info;
    wanted.options.regime = parse_regime(regime);
    wanted.options.max_workspace_bytes = max_workspace_bytes;
    wanted.options.allow_pdl = allow_pdl;
    wanted.options.allow_forward_progress = allow_forward_progress;
    for (const std::string& kind : kinds) wanted.options.kinds.push_back(parse_match_kind(kind));
    wanted.options.software = software(is_here);
    return self.find(wanted);
}

std::vector<std::uint64_t> tuned_sizes(const OpenCatalog& self, const std::string& op, const std::string& dtype,
                                       const std::string& device, const std::string& regime, const std::string& shape,
                                       const std::optional<std::string>& accumulator,
                                       const std::optional<std::string>& output) {
    return self.catalog.tuned_sizes(problem_of(op, dtype, accumulator, output, shape, "any"), device,
                                    parse_regime(regime));
}

nb::list problems(const OpenCatalog& self, const std::string& device) {
    nb::list all;
    for (const Problem& problem : self.catalog.problems(device)) all.append(describe(problem));
    return all;
}

}  // namespace

void add_lookup(nb::module_& module) {
    nb::class_<OpenCatalog>(module, "Catalog")
        .def(nb::init<const std::optional<std::string>&>(), nb::arg("user_database").none())
        .def("find", &find)
        .def("tuned_sizes", &tuned_sizes)
        .def("problems", &problems)
        .def("devices", [](const OpenCatalog& self) { return self.catalog.devices(); })
        .def("reload", [](OpenCatalog& self) { self.catalog.reload(); });
    module.def("gpu_names", &gpu_names);
    module.def("well_known_names", &well_known_names);
    module.def("operator_names", &operator_names);
    module.def("type_names", &type_names);
    module.def("parse_size", [](const std::string& text) { return parse_size(text); });
    module.def("format_size", &format_size);
    module.def("user_database", [] { return db::user_database_path().string(); });
    module.def("system_data", [] { return system_data_folder().string(); });
    module.def("winners_files", [](const std::string& folder) {
        std::vector<std::string> files;
        for (const auto& file : db::winners_files(folder)) files.push_back(file.string());
        return files;
    });
    module.attr("version") = REDTUNE_VERSION;
    module.attr("schema_version") = db::embedded_migrations().back().version;
    module.attr("application_id") = db::application_id;
}

}  // namespace redtune::python
