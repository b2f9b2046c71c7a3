// Fuzzes the lines of an exported database. The input is the lines after the first.
#include <sstream>
#include <string>

#include "db/import.h"
#include "db/migration.h"
#include "db/store.h"
#include "tests/fuzz/only_errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    static const std::string header =
        "{\"format\":\"redtune-database\",\"version\":" + std::to_string(db::embedded_migrations().back().version) +
        "}\n";
    std::istringstream in(header + std::string(fuzz::text_of(data, size)));
    const db::ReadExport got = db::read_export(in, 3);
    fuzz::expect(got.rejected_count >= got.rejected.size());
    return 0;
}
