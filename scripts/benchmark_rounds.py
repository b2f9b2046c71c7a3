"""What scripts/bench-torch and the other comparisons in Python share: sizes, graphs, rounds, intervals and tables."""
import argparse
import csv
import math
import random
import statistics
import sys

UNITS = {"": 0, "Ki": 10, "Mi": 20, "Gi": 30}
ROUNDS = 24

MOST_CALLS = 1000
GRAPH_US = 2000.0  # minimum time of a graph; its launch takes a few microseconds, a few tenths of a percent of that
COLD_SPAN_OF_L2 = 3.5
ALIGNMENT = 256


class Failure(Exception):
    """Ends the program with a message and an exit code."""

    def __init__(self, message, exit_code=1):
        super().__init__(message)
        self.exit_code = exit_code


def parse_size(text):
    number = text.rstrip("KMGi")
    unit = text[len(number):]
    if not number.isascii() or not number.isdigit() or unit not in UNITS or int(number) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no size; allowed are 4096, 4Ki, 16Mi, 1Gi, 1Ki..256Mi and lists")
    return int(number) << UNITS[unit]


def parse_sizes(text):
    """Returns the sizes in a text, ascending: 4Ki, 1Ki..1Gi (each size twice the one before), or a list of these."""
    sizes = set()
    for part in text.split(","):
        first, dots, last = part.partition("..")
        size, end = parse_size(first), parse_size(last if dots else first)
        if end < size:
            raise argparse.ArgumentTypeError(f"'{part}' ends before it begins")
        while size <= end:
            sizes.add(size)
            size *= 2
    return sorted(sizes)


def names(allowed):
    """Returns a parser of comma-separated names that accepts those in `allowed`."""
    def parse(text):
        for name in text.split(","):
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"there is no '{name}'; allowed are {', '.join(allowed)}")
        return list(dict.fromkeys(text.split(",")))
    return parse


def plan(call_us, size, regime, l2_bytes):
    """Returns the number of calls in a graph, the number of their inputs, and the bytes from one input to the next."""
    calls = min(MOST_CALLS, max(1, math.ceil(GRAPH_US / call_us)))
    stride = math.ceil(size / ALIGNMENT) * ALIGNMENT
    if regime == "warm":
        return calls, 1, stride
    span = COLD_SPAN_OF_L2 * l2_bytes
    stride = max(stride, math.ceil(span / calls / ALIGNMENT) * ALIGNMENT)
    # At least two inputs: with one, its end may still be in L2 when the next call begins to read it.
    return calls, min(calls, max(2, math.ceil(span / stride))), stride


def in_turns(graphs, rounds=ROUNDS):
    """Returns the samples of each graph, taken in rounds of alternating order."""
    samples = {name: [] for name in graphs}
    for number in range(rounds):
        for name in list(graphs) if number % 2 == 0 else reversed(list(graphs)):
            samples[name].append(graphs[name].sample())
    return samples


def median_interval(samples, resamples=1000):
    """Returns the 95 % percentile bootstrap interval of the median. The same samples give the same interval."""
    generator = random.Random(20261120)
    medians = sorted(statistics.median(generator.choices(samples, k=len(samples))) for _ in range(resamples))
    return medians[round(0.025 * (resamples - 1))], medians[round(0.975 * (resamples - 1))]


def open_peers(asked, peers):
    opened = {}
    for name in asked:
        try:
            opened[name] = peers[name]()
        except (ImportError, Failure) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    if not opened:
        raise Failure("there is none of " + ", ".join(asked) + " to compare with; pip install torch, or "
                      "cupy-cuda13x, into the Python that runs this", 3)
    return opened


def write_csv(rows, columns, out):
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows(rows)


def write_table(rows, columns, out):
    def text(row, column):
        return f"{row[column]:.3f}" if isinstance(row[column], float) else str(row[column])
    lines = [list(columns)] + [[text(row, column) for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip(), file=out)
