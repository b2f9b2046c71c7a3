#include "tuner/search/worker_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "redtune/error.h"
#include "tests/support/random_values.h"

namespace redtune::search {
namespace {

using test_support::any_measurement;
using test_support::any_text;
using test_support::any_trial;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<Trial> any_trials() {
    std::vector<Trial> trials;
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) trials.push_back(any_trial());
    return trials;
}

WorkerTask any_task() {
    WorkerTask task;
    task.ordinal = *rc::gen::inRange(-1, 16);
    task.recording = any_text();
    task.compiles_for = any_text();
    task.problem = *rc::gen::element(make_problem("sum", Type::f32), make_problem("argmin", Type::f16),
                                     make_problem("dot", Type::bf16));
    task.problem.row_length = *rc::gen::arbitrary<std::uint64_t>();
    task.problem.determinism = *rc::gen::element(Determinism::any, Determinism::run_to_run);
    task.problem.destructive = *rc::gen::arbitrary<bool>();
    task.largest_n = *rc::gen::arbitrary<std::uint64_t>();
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) task.templates.push_back(any_text());
    task.operator_file = any_text();
    task.code = any_text();
    return task;
}

WorkerRequest any_request() {
    const auto n = *rc::gen::arbitrary<std::uint64_t>();
    const Regime regime = *rc::gen::element(Regime::cold, Regime::warm, Regime::back_to_back);
    switch (*rc::gen::inRange(0, 5)) {
        case 0:
            return OpenRequest{any_task()};
        case 1:
            return DataRequest{any_text()};
        case 2:
            return PrepareRequest{any_trials(), *rc::gen::arbitrary<bool>()};
        case 3:
            return MeasureRequest{any_trial(),
                                  n,
                                  regime,
                                  *rc::gen::element(Stage::screen, Stage::survivor),
                                  *rc::gen::element(0.0, 1.25, 1e300),
                                  *rc::gen::arbitrary<bool>()};
        default:
            return CompareRequest{any_trials(), n, regime, *rc::gen::arbitrary<std::uint32_t>()};
    }
}

timing::TimeSpent any_time_spent() {
    timing::TimeSpent spent;
    for (double& seconds : spent.seconds) seconds = *rc::gen::element(0.0, 1e-9, 0.1, 1e6);
    return spent;
}

WorkerReply any_reply() {
    using Cause = RequestFailed::Cause;
    const auto count = [] { return std::size_t{*rc::gen::arbitrary<std::uint32_t>()}; };
    switch (*rc::gen::inRange(0, 7)) {
        case 0:
            return PrepareProgress{count(), count(), count(), count()};
        case 1:
            return Opened{any_text(), any_text(), any_text(), {any_text(), any_text(), any_text()}};
        case 2:
            return DataReady{any_text()};
        case 3:
            return Prepared{any_time_spent()};
        case 4: {
            Measured measured;
            measured.spent = any_time_spent();
            for (int i = *rc::gen::inRange(0, 4); i > 0; --i) measured.measurements.push_back(any_measurement());
            return measured;
        }
        case 5:
            return TrialLost{*rc::gen::element(Status::fault, Status::out_of_memory), any_text()};
        default:
            return RequestFailed{*rc::gen::element(Cause::input, Cause::device, Cause::other), any_text()};
    }
}

/// Passes the text to both parsers. Returns whether each of them either reads it or throws InputError.
bool is_read_or_refused(const std::string& text) {
    try {
        static_cast<void>(request_from_message(text));
    } catch (const InputError&) {
    }
    try {
        static_cast<void>(reply_from_message(text));
    } catch (const InputError&) {
    }
    return true;
}

RC_GTEST_PROP(WorkerProtocol, EveryRequestRoundTrips, ()) {
    const WorkerRequest request = any_request();
    RC_ASSERT(request_from_message(to_message(request)) == request);
}

RC_GTEST_PROP(WorkerProtocol, EveryReplyRoundTrips, ()) {
    const WorkerReply reply = any_reply();
    RC_ASSERT(reply_from_message(to_message(reply)) == reply);
}

RC_GTEST_PROP(WorkerProtocol, AnyBytesAreReadOrRefused, ()) {
    RC_ASSERT(is_read_or_refused(any_text()));
}

RC_GTEST_PROP(WorkerProtocol, ATruncatedMessageIsRefused, ()) {
    const std::string request = to_message(any_request());
    const std::string reply = to_message(any_reply());
    RC_ASSERT_THROWS_AS(request_from_message(request.substr(0, *rc::gen::inRange<std::size_t>(0, request.size()))),
                        InputError);
    RC_ASSERT_THROWS_AS(reply_from_message(reply.substr(0, *rc::gen::inRange<std::size_t>(0, reply.size()))),
                        InputError);
}

RC_GTEST_PROP(WorkerProtocol, AMessageWithAChangedByteIsReadOrRefused, ()) {
    std::string message = *rc::gen::arbitrary<bool>() ? to_message(any_request()) : to_message(any_reply());
    const auto place = *rc::gen::inRange<std::size_t>(0, message.size());
    message[place] = static_cast<char>(*rc::gen::inRange(0, 256));
    RC_ASSERT(is_read_or_refused(message));
}

/// Returns the begin of a reply that needed no time.
std::string no_time_spent(const std::string& reply) {
    const std::string prepared = to_message(WorkerReply(Prepared{}));
    const std::string spent = prepared.substr(prepared.find(','));
    return R"({"reply":")" + reply + "\"" + spent.substr(0, spent.size() - 1);
}

TEST(WorkerProtocol, RefusalsNameTheCause) {
    const auto refused = [](const std::string& message, const std::string& phrase) {
        EXPECT_THAT([&] { reply_from_message(message); }, ThrowsMessage<InputError>(HasSubstr(phrase))) << message;
    };
    refused("[]", "a reply cannot be read: it is not a JSON object");
    refused("{}", "it has no 'reply'");
    refused(R"({"reply":"goodbye"})", "there is no reply 'goodbye'");
    refused(no_time_spent("prepared") + R"(,"more":1})", "'more' is not known");
    refused(R"({"reply":"prepared"})", "it has no 'spent'");
    refused(R"({"reply":"prepared","spent":{}})", "the time spent cannot be read: it has no 'check'");
    refused(no_time_spent("measured") + R"(,"measurements":{}})", "'measurements' is {}; allowed is an array");
    refused(no_time_spent("measured") + R"(,"measurements":[{}]})", "a measurement cannot be read");
    refused(R"({"reply":"lost","status":"bad","reason":""})", "there is no status 'bad'");
    refused(R"({"reply":"progress","done":-1,"total":0,"from_cache":0,"failed":0})", "'done' is -1");
    EXPECT_THAT([] { request_from_message(R"({"request":"stop"})"); },
                ThrowsMessage<InputError>(HasSubstr("there is no request 'stop'")));
}

TEST(WorkerProtocol, TheCodeOfFamiliesChangesWithEachOfThem) {
    std::vector<Family> families(2);
    families[0].name = "a";
    families[1].name = "b";
    const std::string before = code_of(families);
    families[1].code_hash = "other";
    EXPECT_NE(code_of(families), before);
}

}  // namespace
}  // namespace redtune::search
