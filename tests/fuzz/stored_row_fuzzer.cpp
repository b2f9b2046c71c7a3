// Fuzzes the texts in a row of the database, and trials and measurements as JSON. The first byte picks the reader.
#include <string>

#include "db/data_ratios.h"
#include "db/samples.h"
#include "db/shape.h"
#include "redtune/launch_plan.h"
#include "tests/fuzz/only_errors.h"
#include "tuner/core/configuration.h"
#include "tuner/core/launch_rule.h"
#include "tuner/core/serialisation.h"

namespace {

using namespace redtune;

void read_rule(std::string_view text) {
    const LaunchRule rule = launch_rule_from_json(text);
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
        fuzz::only_errors([&] { make_plan(rule, n); });
    }
}

void read_trial(std::string_view text) {
    const std::string written = to_json(trial_from_json(text));
    fuzz::expect(to_json(trial_from_json(written)) == written);
}

void read_measurement(std::string_view text) {
    const std::string written = to_json(measurement_from_json(text));
    fuzz::expect(to_json(measurement_from_json(written)) == written);
}

void read_parameters(std::string_view text) {
    const std::string written = to_json(parameters_from_json(text));
    fuzz::expect(to_json(parameters_from_json(written)) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text = fuzz::text_of(data, size).substr(1);
    fuzz::only_errors([&] {
        switch (data[0] % 7) {
            case 0:
                return read_rule(text);
            case 1:
                return read_trial(text);
            case 2:
                return read_measurement(text);
            case 3:
                return read_parameters(text);
            case 4:
                db::samples_to_json(db::samples_from_json(text));
                return;
            case 5:
                db::data_ratios_to_json(db::data_ratios_from_json(text));
                return;
            default:
                Problem problem;
                db::read_shape(text, problem);
        }
    });
    return 0;
}
