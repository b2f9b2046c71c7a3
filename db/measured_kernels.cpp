#include "db/measured_kernels.h"

#include <fmt/format.h>

#include "db/store_impl.h"
#include "db/stored_rows.h"

namespace redtune::db {

std::vector<MeasuredKernels> find_measured_kernels(const Connection& connection, std::string_view family,
                                                   std::string_view code_hash) {
    Statement statement = connection.prepare(fmt::format(R"sql(
        SELECT DISTINCT configuration.id, problem.id, configuration.parameters, configuration.launch_rule, {}
        FROM measurement
        JOIN configuration ON configuration.id = measurement.configuration_id
        JOIN family ON family.id = configuration.family_id
        JOIN sweep ON sweep.id = measurement.sweep_id
        JOIN problem ON problem.id = sweep.problem_id
        WHERE family.name = ?1 AND family.code_hash = ?2
        ORDER BY problem.id, configuration.id)sql",
                                                         problem_columns));
    statement.bind(family, code_hash);
    std::vector<MeasuredKernels> found;
    while (statement.step()) {
        Row row(statement);
        MeasuredKernels& kernels = found.emplace_back();
        kernels.configuration_id = row.integer();
        kernels.problem_id = row.integer();
        kernels.configuration = {std::string(family), parameters_from_json(row.text())};
        kernels.rule = launch_rule_from_json(row.text());
        kernels.problem = read_problem(row);
    }
    return found;
}

std::int64_t Store::set_code(std::span<const MeasuredKernels> kernels, std::string_view family,
                             std::string_view code_hash) {
    Connection& connection = impl_->connection;
    impl_->configuration_ids.clear();
    Transaction transaction(connection);
    connection.prepare("INSERT OR IGNORE INTO family (name, code_hash) VALUES (?1, ?2)").bind(family, code_hash).run();
    Statement copy = connection.prepare(R"sql(
        INSERT OR IGNORE INTO configuration (family_id, parameters, launch_rule, deterministic)
        SELECT family.id, parameters, launch_rule, deterministic
        FROM configuration, family
        WHERE configuration.id = ?1 AND family.name = ?2 AND family.code_hash = ?3)sql");
    Statement move = connection.prepare(R"sql(
        UPDATE measurement SET configuration_id = (
            SELECT same.id
            FROM configuration AS same
            JOIN family ON family.id = same.family_id
            JOIN configuration AS old USING (parameters, launch_rule, deterministic)
            WHERE old.id = ?1 AND family.name = ?2 AND family.code_hash = ?3)
        WHERE configuration_id = ?1 AND sweep_id IN (SELECT id FROM sweep WHERE problem_id = ?4))sql");
    std::int64_t moved = 0;
    for (const MeasuredKernels& each : kernels) {
        copy.bind(each.configuration_id, family, code_hash).run();
        move.bind(each.configuration_id, family, code_hash, each.problem_id).run();
        moved += connection.changes();
    }
    connection.execute(R"sql(
        DELETE FROM configuration WHERE id NOT IN (SELECT configuration_id FROM measurement);
        DELETE FROM family WHERE id NOT IN (SELECT family_id FROM configuration))sql");
    transaction.commit();
    return moved;
}

}  // namespace redtune::db
