#include "db/backup.h"

#include <fmt/format.h>
#include <unistd.h>

#include "db/connection.h"

namespace redtune::db {

std::filesystem::path back_up(const std::filesystem::path& file, std::string_view suffix) {
    std::filesystem::path backup = fmt::format("{}{}", file.string(), suffix);
    const std::string unfinished = fmt::format("{}.{}", backup.string(), getpid());
    {
        const Connection source = Connection::open(file, OpenMode::read_only);
        Connection target = Connection::open(unfinished, OpenMode::create);
        source.copy_to(target);
        // The copy gets the journal mode of the source. In the mode DELETE the database is a single file, which can be
        // renamed.
        target.text("PRAGMA journal_mode = DELETE");
    }
    std::filesystem::rename(unfinished, backup);
    return backup;
}

std::filesystem::path back_up_numbered(const std::filesystem::path& file, std::string_view suffix) {
    for (int number = 1;; ++number) {
        const std::string numbered = fmt::format("{}{}", suffix, number);
        if (!std::filesystem::exists(file.string() + numbered)) return back_up(file, numbered);
    }
}

}  // namespace redtune::db
