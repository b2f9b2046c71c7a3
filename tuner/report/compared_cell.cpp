#include "tuner/report/compared_cell.h"

#include <fmt/format.h>

#include <array>

#include "redtune/size.h"
#include "tuner/core/named.h"

namespace redtune::report {

namespace {

constexpr std::array stream_counts = {Named<Streams>{"one", Streams::one}, Named<Streams>{"several", Streams::several}};

}  // namespace

std::string_view to_string(Streams streams) noexcept {
    return redtune::name_of(stream_counts, streams);
}

Streams parse_streams(std::string_view name) {
    return parse_named(stream_counts, "number of streams", name);
}

std::string alignment_name(std::uint64_t offset) {
    return offset == 0 ? "aligned" : fmt::format("{} off", offset);
}

ComparedCell compared_cell(const Problem& problem, std::uint64_t n, Regime regime, std::uint64_t offset,
                           Streams streams) {
    ComparedCell cell;
    cell.op = problem.op;
    cell.dtype = redtune::to_string(problem.input);
    cell.shape = shape_name(problem);
    cell.rows = result_count(problem, n);
    cell.n = n;
    cell.bytes = bytes_read(problem, n);
    cell.regime = regime;
    cell.offset = offset;
    cell.streams = streams;
    return cell;
}

std::string name_of(const ComparedCell& cell) {
    const std::string shape = cell.shape == "whole" ? "" : cell.shape + " ";
    const std::string data = cell.data == "uniform" ? "" : " " + cell.data;
    return fmt::format("{} {} {}{}B {} {}{}", cell.op, cell.dtype, shape, format_size(cell.bytes),
                       redtune::to_string(cell.regime), alignment_name(cell.offset), data);
}

}  // namespace redtune::report
