#include "db/row_checks.h"

#include <fmt/format.h>

#include "db/data_ratios.h"
#include "db/samples.h"
#include "db/shape.h"
#include "redtune/error.h"
#include "tuner/core/configuration.h"
#include "tuner/core/element.h"
#include "tuner/core/launch_rule.h"

namespace redtune::db {

namespace {

std::int64_t number(JsonObject& row, const char* member) {
    return static_cast<std::int64_t>(row.whole_number<std::uint64_t>(member));
}

/// Throws InputError if a number is larger than the program's type for it.
void check_at_most(JsonObject& row, std::initializer_list<const char*> members, std::int64_t most) {
    for (const char* member : members) {
        if (!row.has(member) || number(row, member) <= most) continue;
        row.refuse(member, row.member(member), fmt::format("a whole number from 0 to {}", most));
    }
}

constexpr std::int64_t most_u32 = 0xffff'ffff;

void check_device(JsonObject& row) {
    check_at_most(row, {"compute_major", "compute_minor"}, 1000);
    check_at_most(row, {"sm_count", "max_threads_per_sm", "max_shared_bytes_per_block"}, most_u32);
}

void check_problem(JsonObject& row) {
    Problem problem;
    problem.op = row.text("op");
    if (problem.op.empty()) throw InputError("'op' is empty; it is the name of an operator");
    problem.input = parse_type(row.text("input_type"));
    problem.accumulator = parse_type(row.text("accumulator_type"));
    problem.output = parse_type(row.text("output_type"));
    read_shape(row.text("shape"), problem);
    const std::int64_t size = size_of(problem.input);
    const std::int64_t bytes = number(row, "input_bytes");
    if (bytes == 0 || bytes % size != 0 || bytes / size > 2) {
        throw InputError(fmt::format("'input_bytes' is {}; allowed is the size of an element of {}, {}, or twice that",
                                     bytes, to_string(problem.input), size));
    }
}

void check_configuration(JsonObject& row) {
    parameters_from_json(row.member("parameters").dump());
    launch_rule_from_json(row.member("launch_rule").dump());
}

void check_sweep(const Connection& rows, JsonObject& row) {
    if (row.text("identity").empty()) throw InputError("'identity' is empty; it is a text that no other sweep has");
    if (!row.has("device_unit_id")) return;
    const auto device =
        rows.prepare("SELECT device_id FROM device_unit WHERE id = ?1").bind(number(row, "device_unit_id")).value();
    if (device != number(row, "device_id")) throw InputError("'device_unit_id' is a unit of another device");
}

void check_measurement(JsonObject& row) {
    samples_from_json(row.member("samples").dump());
    check_at_most(row,
                  {"rejected", "calls_per_sample", "sm_mhz", "memory_mhz", "temperature_c", "registers", "shared_bytes",
                   "spill_bytes", "grid", "block"},
                  most_u32);
    if (row.text("data").empty()) throw InputError("'data' is empty; it is the name of a kind of data");
}

/// Throws InputError if a measurement cannot have been chosen for the row's device, problem, regime and size.
void check_choice(const Connection& rows, JsonObject& row, const char* member) {
    Statement chosen = rows.prepare(
        "SELECT status.name, measurement.n = ?2 AND regime.name = ?3 AND sweep.device_id = ?4 AND sweep.problem_id = "
        "?5, "
        "configuration.deterministic FROM measurement JOIN status ON status.id = status_id JOIN regime ON regime.id = "
        "regime_id JOIN sweep ON sweep.id = sweep_id JOIN configuration ON configuration.id = configuration_id "
        "WHERE measurement.id = ?1");
    const std::int64_t id = number(row, member);
    chosen.bind(id, number(row, "n"), row.text("regime"), number(row, "device_id"), number(row, "problem_id"));
    chosen.step();
    if (chosen.text(0) != "ok") throw InputError(fmt::format("measurement {} is {}, not ok", id, chosen.text(0)));
    if (chosen.integer(1) == 0) {
        throw InputError(fmt::format("measurement {} is of another device, problem, size or regime", id));
    }
    if (chosen.integer(2) == 0 && row.has("determinism") && row.text("determinism") == "run_to_run") {
        throw InputError(fmt::format("measurement {} is not deterministic, so it cannot win run_to_run", id));
    }
}

void check_unit_winner(const Connection& rows, JsonObject& row) {
    check_choice(rows, row, "measurement_id");
    if (data_ratios_from_json(row.member("data_ratios").dump()).empty()) {
        throw InputError("'data_ratios' is empty; it has a member for each kind of data");
    }
}

}  // namespace

void check_row(const Connection& rows, std::string_view table, JsonObject& row) {
    if (table == "device") check_device(row);
    if (table == "problem") check_problem(row);
    if (table == "configuration") check_configuration(row);
    if (table == "sweep") check_sweep(rows, row);
    if (table == "measurement") check_measurement(row);
    if (table == "unit_winner") check_unit_winner(rows, row);
    if (table == "size_check") {
        check_choice(rows, row, "picked_id");
        check_choice(rows, row, "best_id");
    }
}

}  // namespace redtune::db
