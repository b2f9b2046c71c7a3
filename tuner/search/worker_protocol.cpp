#include "tuner/search/worker_protocol.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "redtune/error.h"
#include "tuner/core/hash.h"
#include "tuner/core/json_object.h"
#include "tuner/core/named.h"
#include "tuner/core/serialisation.h"

namespace redtune::search {

namespace {

using Cause = RequestFailed::Cause;
constexpr std::array causes = {Named<Cause>{"input", Cause::input}, Named<Cause>{"device", Cause::device},
                               Named<Cause>{"other", Cause::other}};

/// Combines lambdas into one object that std::visit() can call.
template <class... Lambdas>
struct Overloaded : Lambdas... {
    using Lambdas::operator()...;
};
template <class... Lambdas>
Overloaded(Lambdas...) -> Overloaded<Lambdas...>;

/// Returns the members of an array, each as JSON text that `read` turns into a value.
template <class Read>
auto read_list(JsonObject& object, const char* key, const Read& read) {
    std::vector<decltype(read(std::string()))> list;
    const Json& array = object.member(key);
    if (!array.is_array()) object.refuse(key, array, "an array");
    for (const Json& element : array) list.push_back(read(element.dump()));
    return list;
}

/// Returns the values as the text of a JSON array.
template <class Value>
std::string write_list(const std::vector<Value>& values) {
    std::string array = "[";
    for (const Value& value : values) {
        if (array.size() > 1) array += ',';
        array += to_json(value);
    }
    return array += ']';
}

/// Returns the text of an object that is not empty with one more member, whose value is JSON text already.
std::string with_member(const Json& object, std::string_view key, std::string_view json) {
    std::string text = object.dump();
    text.pop_back();  // the closing brace
    return text += fmt::format(",\"{}\":{}}}", key, json);
}

Json to_object(const Problem& problem) {
    return {{"op", text_to_json(problem.op)},
            {"input", to_string(problem.input)},
            {"accumulator", to_string(problem.accumulator)},
            {"output", to_string(problem.output)},
            {"arrays", problem.arrays},
            {"row_length", problem.row_length},
            {"columns", problem.columns},
            {"determinism", to_string(problem.determinism)},
            {"destructive", problem.destructive}};
}

Problem problem_from(JsonObject object) {
    Problem problem;
    problem.op = object.text("op");
    problem.input = parse_type(object.text("input"));
    problem.accumulator = parse_type(object.text("accumulator"));
    problem.output = parse_type(object.text("output"));
    problem.arrays = object.whole_number<std::uint32_t>("arrays");
    problem.row_length = object.whole_number<std::uint64_t>("row_length");
    problem.columns = object.whole_number<std::uint64_t>("columns");
    problem.determinism = parse_determinism(object.text("determinism"));
    problem.destructive = object.boolean("destructive");
    object.check_all_read();
    return problem;
}

Json to_object(const timing::TimeSpent& spent) {
    Json object = Json::object();
    for (const timing::Activity activity : timing::all_activities) {
        object[std::string(timing::to_string(activity))] = number_to_json(spent[activity]);
    }
    return object;
}

timing::TimeSpent spent_from(JsonObject object) {
    timing::TimeSpent spent;
    for (const timing::Activity activity : timing::all_activities) {
        spent[activity] = object.number(std::string(timing::to_string(activity)).c_str());
    }
    object.check_all_read();
    return spent;
}

Json to_object(const WorkerTask& task) {
    Json templates = Json::array();
    for (const std::string& path : task.templates) templates.push_back(text_to_json(path));
    return {{"gpu", task.ordinal >= 0},
            {"ordinal", static_cast<std::uint32_t>(task.ordinal >= 0 ? task.ordinal : 0)},
            {"recording", text_to_json(task.recording)},
            {"problem", to_object(task.problem)},
            {"largest_n", task.largest_n},
            {"templates", std::move(templates)},
            {"operator_file", text_to_json(task.operator_file)},
            {"compiles_for", text_to_json(task.compiles_for)},
            {"code", text_to_json(task.code)}};
}

WorkerTask task_from(JsonObject object) {
    WorkerTask task;
    const bool is_gpu = object.boolean("gpu");
    const auto ordinal = static_cast<int>(object.whole_number<std::uint16_t>("ordinal"));
    task.ordinal = is_gpu ? ordinal : -1;
    task.recording = object.text("recording");
    task.problem = problem_from({object.member("problem"), "a problem"});
    task.largest_n = object.whole_number<std::uint64_t>("largest_n");
    task.templates = read_list(object, "templates", [](const std::string& json) {
        Json path = Json::object();
        path["path"] = Json::parse(json);
        return JsonObject(std::move(path), "a path").text("path");
    });
    task.operator_file = object.text("operator_file");
    task.compiles_for = object.text("compiles_for");
    task.code = object.text("code");
    object.check_all_read();
    return task;
}

std::vector<Trial> trials_from(JsonObject& object) {
    return read_list(object, "trials", [](const std::string& json) { return trial_from_json(json); });
}

Opened opened_from(JsonObject& object) {
    Opened opened;
    opened.device = object.text("device");
    opened.uuid = object.text("uuid");
    opened.source = object.text("source");
    opened.toolchain = {object.text("redtune"), object.text("nvrtc"), object.text("driver")};
    return opened;
}

PrepareProgress progress_from(JsonObject& object) {
    PrepareProgress progress;
    progress.done = object.whole_number<std::size_t>("done");
    progress.total = object.whole_number<std::size_t>("total");
    progress.from_cache = object.whole_number<std::size_t>("from_cache");
    progress.failed = object.whole_number<std::size_t>("failed");
    return progress;
}

WorkerRequest read_request(JsonObject& object) {
    const std::string kind = object.text("request");
    if (kind == "open") return OpenRequest{task_from({object.member("task"), "a task"})};
    if (kind == "data") return DataRequest{object.text("argument")};
    if (kind == "prepare") return PrepareRequest{trials_from(object), object.boolean("is_last")};
    if (kind == "measure") {
        return MeasureRequest{trial_from_json(object.member("trial").dump()),
                              object.whole_number<std::uint64_t>("n"),
                              parse_regime(object.text("regime")),
                              parse_stage(object.text("stage")),
                              object.number("best_us"),
                              object.boolean("skips_hard_sizes")};
    }
    if (kind == "compare") {
        return CompareRequest{trials_from(object), object.whole_number<std::uint64_t>("n"),
                              parse_regime(object.text("regime")), object.whole_number<std::uint32_t>("rounds")};
    }
    object.fail(fmt::format("there is no request '{:.100}'", kind));
}

WorkerReply read_reply(JsonObject& object) {
    const std::string kind = object.text("reply");
    if (kind == "progress") return progress_from(object);
    if (kind == "opened") return opened_from(object);
    if (kind == "data") return DataReady{object.text("name")};
    if (kind == "prepared") return Prepared{spent_from({object.member("spent"), "the time spent"})};
    if (kind == "measured") {
        return Measured{
            read_list(object, "measurements", [](const std::string& json) { return measurement_from_json(json); }),
            spent_from({object.member("spent"), "the time spent"})};
    }
    if (kind == "lost") return TrialLost{parse_status(object.text("status")), object.text("reason")};
    if (kind == "failed") {
        return RequestFailed{parse_named(causes, "cause", object.text("cause")), object.text("message")};
    }
    object.fail(fmt::format("there is no reply '{:.100}'", kind));
}

}  // namespace

std::string code_of(std::span<const Family> families) {
    std::string code;
    for (const Family& family : families) code += fmt::format("{} {}\n", family.name, family.code_hash);
    return content_hash(code);
}

std::string to_message(const WorkerRequest& request) {
    return std::visit(Overloaded{[](const OpenRequest& open) {
                                     return Json{{"request", "open"}, {"task", to_object(open.task)}}.dump();
                                 },
                                 [](const DataRequest& data) {
                                     return Json{{"request", "data"}, {"argument", text_to_json(data.argument)}}.dump();
                                 },
                                 [](const PrepareRequest& prepare) {
                                     const Json object = {{"request", "prepare"}, {"is_last", prepare.is_last}};
                                     return with_member(object, "trials", write_list(prepare.trials));
                                 },
                                 [](const MeasureRequest& measure) {
                                     const Json object = {{"request", "measure"},
                                                          {"n", measure.n},
                                                          {"regime", to_string(measure.regime)},
                                                          {"stage", to_string(measure.stage)},
                                                          {"best_us", number_to_json(measure.best_us)},
                                                          {"skips_hard_sizes", measure.skips_hard_sizes}};
                                     return with_member(object, "trial", to_json(measure.trial));
                                 },
                                 [](const CompareRequest& compare) {
                                     const Json object = {{"request", "compare"},
                                                          {"n", compare.n},
                                                          {"regime", to_string(compare.regime)},
                                                          {"rounds", compare.rounds}};
                                     return with_member(object, "trials", write_list(compare.trials));
                                 }},
                      request);
}

std::string to_message(const WorkerReply& reply) {
    return std::visit(Overloaded{[](const PrepareProgress& progress) {
                                     return Json{{"reply", "progress"},
                                                 {"done", progress.done},
                                                 {"total", progress.total},
                                                 {"from_cache", progress.from_cache},
                                                 {"failed", progress.failed}}
                                         .dump();
                                 },
                                 [](const Opened& opened) {
                                     return Json{{"reply", "opened"},
                                                 {"device", text_to_json(opened.device)},
                                                 {"uuid", text_to_json(opened.uuid)},
                                                 {"source", text_to_json(opened.source)},
                                                 {"redtune", text_to_json(opened.toolchain.redtune_version)},
                                                 {"nvrtc", text_to_json(opened.toolchain.nvrtc_version)},
                                                 {"driver", text_to_json(opened.toolchain.driver_version)}}
                                         .dump();
                                 },
                                 [](const DataReady& data) {
                                     return Json{{"reply", "data"}, {"name", text_to_json(data.name)}}.dump();
                                 },
                                 [](const Prepared& prepared) {
                                     return Json{{"reply", "prepared"}, {"spent", to_object(prepared.spent)}}.dump();
                                 },
                                 [](const Measured& measured) {
                                     const Json object = {{"reply", "measured"}, {"spent", to_object(measured.spent)}};
                                     return with_member(object, "measurements", write_list(measured.measurements));
                                 },
                                 [](const TrialLost& lost) {
                                     return Json{{"reply", "lost"},
                                                 {"status", to_string(lost.status)},
                                                 {"reason", text_to_json(lost.reason)}}
                                         .dump();
                                 },
                                 [](const RequestFailed& failed) {
                                     return Json{{"reply", "failed"},
                                                 {"cause", name_of(causes, failed.cause)},
                                                 {"message", text_to_json(failed.message)}}
                                         .dump();
                                 }},
                      reply);
}

WorkerRequest request_from_message(std::string_view message) {
    JsonObject object(message, "a request");
    WorkerRequest request = read_request(object);
    object.check_all_read();
    return request;
}

WorkerReply reply_from_message(std::string_view message) {
    JsonObject object(message, "a reply");
    WorkerReply reply = read_reply(object);
    object.check_all_read();
    return reply;
}

}  // namespace redtune::search
