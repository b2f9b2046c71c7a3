#include "db/merge_target.h"

#include "db/merge_rows.h"
#include "db/migration.h"

namespace redtune::db {

Connection empty_merge_target() {
    Connection target = Connection::temporary();
    migrate(target, {}, embedded_migrations());
    target.attach_temporary("input");
    return target;
}

void add_rows(Connection& target, const Connection& input) {
    input.copy_to(target, "input");
    add_rows_of_input(target);
}

Connection ordered_copy(const Connection& input) {
    Connection ordered = empty_merge_target();
    add_rows(ordered, input);
    return ordered;
}

}  // namespace redtune::db
