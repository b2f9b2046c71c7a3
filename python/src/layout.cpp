#include "python/src/layout.h"

#include <algorithm>
#include <array>

namespace redtune::python {

namespace {

/// An axis of more than one element.
struct Axis {
    std::uint64_t extent = 1;
    std::int64_t stride = 1;
    int index = 0;
    bool is_reduced = false;
};

using Axes = std::array<Axis, max_dimensions>;

/// Writes the axes of more than one element in index order and returns how many there are.
std::size_t write_axes(const Dimensions& array, std::uint64_t reduced, Axes& axes) {
    std::size_t count = 0;
    std::int64_t c_stride = 1;
    for (std::size_t i = array.shape.size(); i-- > 0;) {
        const std::int64_t extent = array.shape[i];
        const std::int64_t stride = array.strides != nullptr ? array.strides[i] : c_stride;
        c_stride *= extent;
        if (extent == 1) continue;
        axes[count++] = {static_cast<std::uint64_t>(extent), stride, static_cast<int>(i), (reduced >> i & 1) != 0};
    }
    std::reverse(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
}

bool is_dense(std::span<const Axis> from_slowest) {
    std::uint64_t expected = 1;
    for (std::size_t i = from_slowest.size(); i-- > 0;) {
        if (from_slowest[i].stride != static_cast<std::int64_t>(expected)) return false;
        expected *= from_slowest[i].extent;
    }
    return true;
}

/// Returns whether the axes that are reduced (or kept) have ascending indices.
bool is_in_index_order(std::span<const Axis> axes, bool reduced) {
    int last = -1;
    for (const Axis& axis : axes) {
        if (axis.is_reduced != reduced) continue;
        if (axis.index < last) return false;
        last = axis.index;
    }
    return true;
}

}  // namespace

std::uint64_t Dimensions::count() const noexcept {
    std::uint64_t product = 1;
    for (const std::int64_t extent : shape) product *= static_cast<std::uint64_t>(extent);
    return product;
}

bool is_c_order(const Dimensions& array) noexcept {
    // NumPy gives arrays without elements strides of 0.
    if (array.strides == nullptr || array.count() == 0) return true;
    std::int64_t expected = 1;
    for (std::size_t i = array.shape.size(); i-- > 0;) {
        if (array.shape[i] != 1 && array.strides[i] != expected) return false;
        expected *= array.shape[i];
    }
    return true;
}

Extents extents_of(const Dimensions& array, std::uint64_t reduced, bool is_order_sensitive, LayoutProblem& problem) {
    problem = LayoutProblem::none;
    Axes storage;
    const std::span<Axis> axes(storage.data(), write_axes(array, reduced, storage));
    Extents extents{1, 1, 1};
    if (array.count() == 0) {
        for (const Axis& axis : axes) (axis.is_reduced ? extents.reduced : extents.outer) *= axis.extent;
        return extents;
    }
    std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
    std::size_t at = 0;
    for (; at < axes.size() && !axes[at].is_reduced; ++at) extents.outer *= axes[at].extent;
    for (; at < axes.size() && axes[at].is_reduced; ++at) extents.reduced *= axes[at].extent;
    for (; at < axes.size() && !axes[at].is_reduced; ++at) extents.inner *= axes[at].extent;
    if (!is_dense(axes)) {
        problem = LayoutProblem::not_dense;
    } else if (at < axes.size()) {
        problem = LayoutProblem::interleaved;
    } else if (!is_in_index_order(axes, false) || (is_order_sensitive && !is_in_index_order(axes, true))) {
        problem = LayoutProblem::results_permuted;
    }
    return problem == LayoutProblem::none ? extents : Extents{0, 0, 0};
}

std::string_view describe(LayoutProblem problem) noexcept {
    switch (problem) {
        case LayoutProblem::not_dense:
            return "its elements do not fill a piece of memory without gaps (it is a slice or was broadcast)";
        case LayoutProblem::interleaved:
            return "axes that are kept lie in memory between axes that are reduced";
        case LayoutProblem::results_permuted:
            return "its axes lie in memory in another order than the results need";
        case LayoutProblem::none:
            break;
    }
    return "";
}

std::string_view copy_that_helps(LayoutProblem problem) noexcept {
    if (problem != LayoutProblem::interleaved) return "x.contiguous() (PyTorch) or cupy.ascontiguousarray(x)";
    return "x.movedim((0, 2), (-2, -1)).contiguous() (PyTorch) or cupy.ascontiguousarray(cupy.moveaxis(x, (0, 2), (-2, "
           "-1))), for axis = (0, 2), and reduce axis = (-2, -1) of it";
}

}  // namespace redtune::python
