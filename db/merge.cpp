#include "db/merge.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "db/backup.h"
#include "db/connection.h"
#include "db/merge_target.h"
#include "redtune/error.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

/// Owns an output file that is being written: the destructor removes the file and its journal, unless the file was
/// renamed.
class UnfinishedFile {
  public:
    explicit UnfinishedFile(Path path) : path_(std::move(path)) { remove(); }
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile() { remove(); }
    const Path& path() const { return path_; }

  private:
    void remove() const {
        std::error_code none;
        for (const char* suffix : {"", "-wal", "-shm", "-journal"})
            std::filesystem::remove(path_.string() + suffix, none);
    }
    Path path_;
};

/// Copies an existing output to a backup. Then closes the output's write-ahead log, which SQLite would otherwise apply
/// to the new file.
/// @throws DatabaseError if it is not a redtune database, or if another process has it open
void back_up_output(const Path& output) {
    Store::open(output, Access::read_only);
    Connection existing = Connection::open(output, OpenMode::create);
    existing.text("PRAGMA journal_mode = DELETE");
    back_up_numbered(output, ".bak-merge-");
}

/// Returns a temporary database with the rows of all inputs. Its ids depend on their order.
Connection rows_of(std::span<const Path> inputs) {
    if (inputs.size() == 1) {
        Connection copy = Connection::temporary();
        Store::open(inputs[0], Access::read_only).connection().copy_to(copy);
        return copy;
    }
    Connection merged = empty_merge_target();
    for (const Path& input : inputs) add_rows(merged, Store::open(input, Access::read_only).connection());
    return merged;
}

}  // namespace

void merge(std::span<const Path> inputs, const Path& output, bool replace,
           const std::function<void(Store&)>& choose_winners) {
    std::error_code none;
    const bool exists = std::filesystem::exists(output, none);
    if (exists && !replace) {
        throw InputError(
            fmt::format("{} exists; give another file with --output, or --force to replace it by the merged database "
                        "(a copy is kept)",
                        output.string()));
    }
    if (exists) Store::open(output, Access::read_only);  // throws before any work if the file is not redtune's
    const Connection ordered = ordered_copy(rows_of(inputs));

    const UnfinishedFile unfinished(fmt::format("{}.unfinished-{}", output.string(), getpid()));
    {
        Connection file = Connection::open(unfinished.path(), OpenMode::create);
        ordered.copy_to(file);
    }
    {
        Store store = Store::open(unfinished.path(), Access::read_write);
        choose_winners(store);
        // In the mode DELETE the database is a single file, which can be renamed.
        store.connection().text("PRAGMA journal_mode = DELETE");
    }
    if (exists) back_up_output(output);
    std::filesystem::rename(unfinished.path(), output);
}

void merge_into(std::span<const Path> inputs, const Path& target, const std::function<void(Store&)>& choose_winners) {
    const Connection merged = rows_of(inputs);
    Store::open(target, Access::read_write).add_rows(merged, choose_winners);
}

}  // namespace redtune::db
