#include "db/merge_rows.h"
#include "db/store.h"
#include "db/store_impl.h"
#include "redtune/error.h"

namespace redtune::db {

namespace {

/// A temporary database that is attached to a connection as `input`, until the object is destroyed.
class AttachedInput {
  public:
    explicit AttachedInput(Connection& connection) : connection_(connection) { connection_.attach_temporary("input"); }
    AttachedInput(const AttachedInput&) = delete;
    AttachedInput& operator=(const AttachedInput&) = delete;
    ~AttachedInput() {
        try {
            connection_.execute("DETACH input");
        } catch (const DatabaseError&) {
            // It is detached when the connection is closed.
        }
    }

  private:
    Connection& connection_;
};

}  // namespace

void Store::add_rows(const Connection& input, const std::function<void(Store&)>& choose_winners) {
    const AttachedInput attached(impl_->connection);
    input.copy_to(impl_->connection, "input");
    Transaction transaction(impl_->connection);
    add_rows_of_input(impl_->connection);
    choose_winners(*this);
    transaction.commit();
}

}  // namespace redtune::db
