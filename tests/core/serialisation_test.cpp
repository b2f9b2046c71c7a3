#include "tuner/core/serialisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "redtune/error.h"
#include "tests/support/random_values.h"

namespace redtune {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Json = nlohmann::ordered_json;
using test_support::any_measurement;
using test_support::any_text;
using test_support::any_trial;

RC_GTEST_PROP(Serialisation, EveryTrialRoundTrips, ()) {
    const Trial trial = any_trial();
    const std::string json = to_json(trial);
    RC_ASSERT(trial_from_json(json) == trial);
    RC_ASSERT(json.find('\n') == std::string::npos);
}

RC_GTEST_PROP(Serialisation, EveryMeasurementRoundTrips, ()) {
    const Measurement measurement = any_measurement();
    const std::string json = to_json(measurement);
    RC_ASSERT(measurement_from_json(json) == measurement);
    RC_ASSERT(json.find('\n') == std::string::npos);
}

TEST(Serialisation, InfinitiesAndNanRoundTrip) {
    Measurement measurement;
    measurement.samples_us = {1, std::nan(""), -0.0};
    measurement.median_us = -std::numeric_limits<double>::infinity();
    const Measurement read = measurement_from_json(to_json(measurement));
    EXPECT_TRUE(std::isnan(read.samples_us[1]));
    EXPECT_TRUE(std::signbit(read.samples_us[2]));
    EXPECT_EQ(read.median_us, measurement.median_us);
}

TEST(Serialisation, ParametersAndRulesHaveTheFormatOfTheDatabase) {
    Trial trial;
    trial.configuration = {"grid_stride_wide", {{"block", std::int64_t{256}}, {"blocks_per_sm", 1.0}}};
    trial.rule.block = 256;
    trial.rule.tile = 1024;
    EXPECT_EQ(to_json(trial), R"({"family":"grid_stride_wide","parameters":)" +
                                  to_json(trial.configuration.parameters) + R"(,"rule":)" + to_json(trial.rule) +
                                  R"(,"deterministic":true,"destructive":false,"bytes_in_flight":0})");
}

TEST(Serialisation, TrialsThatJsonCannotRepresentAreRejected) {
    Trial trial;
    trial.configuration = {"fake", {{"block", std::nan("")}}};
    EXPECT_THAT([&] { to_json(trial); }, ThrowsMessage<InputError>(HasSubstr("block of fake is nan; allowed are")));
    trial.configuration.parameters = {{"finish", std::string("\xff")}};
    EXPECT_THAT([&] { to_json(trial); }, ThrowsMessage<InputError>(HasSubstr("the parameters of fake are not UTF-8")));
    trial.configuration.parameters = {{"\xff", std::int64_t{1}}};
    EXPECT_THROW(to_json(trial), InputError);
}

template <class Read>
void expect_refused(Read read, const std::string& json, const std::string& phrase) {
    EXPECT_THAT([&] { read(json); }, ThrowsMessage<InputError>(HasSubstr(phrase))) << json;
}

/// Returns the JSON with one member replaced. `key` is a JSON pointer such as "/circumstances/sm_mhz".
std::string with_member(const std::string& json, const std::string& key, Json value) {
    Json object = Json::parse(json);
    object[Json::json_pointer(key)] = std::move(value);
    return object.dump();
}

TEST(Serialisation, ErrorsOfMalformedMeasurementsNameTheCause) {
    const std::string good = to_json(Measurement{});
    const auto refused = [](const std::string& json, const std::string& phrase) {
        expect_refused([](const std::string& text) { measurement_from_json(text); }, json, phrase);
    };
    refused("", "a measurement cannot be read: ");
    refused("[]", "it is not a JSON object");
    refused("{}", "it has no 'status'");
    refused(with_member(good, "/status", "fine"), "there is no status 'fine'");
    refused(with_member(good, "/stage", 3), "'stage' is 3; allowed is text");
    refused(with_member(good, "/rejected", -1), "'rejected' is -1; allowed is a whole number from 0 to 4294967295");
    refused(with_member(good, "/registers", 4294967296), "'registers' is 4294967296; allowed");
    refused(with_member(good, "/calls_per_sample", 1.5), "'calls_per_sample' is 1.5; allowed");
    refused(with_member(good, "/samples_us", 1), "'samples_us' is 1; allowed is an array");
    refused(with_member(good, "/samples_us", {1.0, "x"}), "'samples_us' is \"x\"; allowed is an array of numbers");
    refused(with_member(good, "/median_us", nullptr), "'median_us' is null; allowed is a number");
    refused(with_member(good, "/reason", Json::object({{"hex", "f"}})), "'reason' is {\"hex\":\"f\"}; allowed is text");
    refused(with_member(good, "/reason", Json::object({{"hex", "zz"}})), "'reason' is");
    refused(with_member(good, "/circumstances", 1), "the circumstances cannot be read: it is not a JSON object");
    refused(with_member(good, "/circumstances/sm_mhz", "fast"), "'sm_mhz' is \"fast\"; allowed");
    refused(with_member(good, "/circumstances/fan", 1), "'fan' is not known");
    refused(with_member(good, "/colour", 1), "a measurement cannot be read: 'colour' is not known");
}

TEST(Serialisation, ErrorsOfMalformedTrialsNameTheCause) {
    Trial trial;
    trial.configuration = {"fake", {{"block", std::int64_t{64}}}};
    const std::string good = to_json(trial);
    const auto refused = [](const std::string& json, const std::string& phrase) {
        expect_refused([](const std::string& text) { trial_from_json(text); }, json, phrase);
    };
    refused("{}", "a trial cannot be read: it has no 'family'");
    refused(with_member(good, "/deterministic", 1), "'deterministic' is 1; allowed is true or false");
    refused(with_member(good, "/parameters", 1), "parameters are not a JSON object");
    refused(with_member(good, "/parameters/block", nullptr), "parameter 'block' is neither a number nor a string");
    refused(with_member(good, "/parameters/block", std::numeric_limits<std::uint64_t>::max()), "it was understood as");
    refused(with_member(good, "/rule/block", -1), "allowed is a whole number from 0 to");
    refused(with_member(good, "/rule/block", std::uint64_t{1} << 33), "allowed is a whole number from 0 to");
    refused(with_member(good, "/rule/tile", -1), "allowed is a whole number from 0 to");
    refused(with_member(good, "/rule/grid", "round"), "there is no grid rule 'round'");
    refused(with_member(good, "/rule/colour", 1), "it was understood as");
    refused(with_member(good, "/colour", 1), "'colour' is not known");
}

/// Calls read(text) and ignores an InputError. Any other exception fails the test.
template <class Read>
void read_or_refuse(Read read, const std::string& text) {
    try {
        read(text);
    } catch (const InputError& error) {
        RC_ASSERT(!std::string(error.what()).empty());
    }
}

RC_GTEST_PROP(Serialisation, RandomTextIsRejected, ()) {
    const std::string text = any_text();
    RC_ASSERT_THROWS_AS(trial_from_json(text), InputError);
    RC_ASSERT_THROWS_AS(measurement_from_json(text), InputError);
}

RC_GTEST_PROP(Serialisation, DamagedJsonIsReadOrRejected, ()) {
    const auto damage = [](std::string text) {
        const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
        if (*rc::gen::arbitrary<bool>()) return text.substr(0, place);
        text[place] = static_cast<char>(*rc::gen::inRange(0, 256));
        return text;
    };
    read_or_refuse([](const std::string& text) { trial_from_json(text); }, damage(to_json(any_trial())));
    read_or_refuse([](const std::string& text) { measurement_from_json(text); }, damage(to_json(any_measurement())));
}

RC_GTEST_PROP(Serialisation, ErrorsNameTheMissingMember, ()) {
    Json object = Json::parse(to_json(any_measurement()));
    const auto place = *rc::gen::inRange<std::size_t>(0, object.size());
    const std::string key = std::next(object.items().begin(), static_cast<std::ptrdiff_t>(place)).key();
    object.erase(key);
    try {
        measurement_from_json(object.dump());
        RC_FAIL("it was read");
    } catch (const InputError& error) {
        RC_ASSERT(std::string(error.what()).find("it has no '" + key + "'") != std::string::npos);
    }
}

}  // namespace
}  // namespace redtune
