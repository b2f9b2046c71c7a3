#include "tuner/cli/explain_match.h"

#include "db/layer.h"
#include "db/location.h"

namespace redtune::cli {

std::optional<report::Explanation> explain_match(const Match& match, const std::filesystem::path& user,
                                                 const std::vector<Family>& families) {
    std::vector<db::Layer> files = db::layers(user, db::system_data_folder());
    for (const db::Recording& recording : db::recordings()) {
        files.push_back({"recording", recording.file, db::Access::immutable});
    }
    return report::explain(match, files, families);
}

}  // namespace redtune::cli
