#include <fmt/format.h>

#include "db/measurement_counts.h"
#include "db/store.h"
#include "db/store_impl.h"

namespace redtune::db {

std::int64_t Store::repair_measurement_counts() {
    Connection& connection = impl_->connection;
    Transaction transaction(connection);
    const std::int64_t wrong = connection.value(fmt::format("SELECT count(*) FROM ({})", wrong_measurement_counts()));
    if (wrong > 0) {
        connection.execute(
            fmt::format("DELETE FROM measurement_count; INSERT INTO measurement_count {}", count_measurements));
    }
    transaction.commit();
    return wrong;
}

}  // namespace redtune::db
