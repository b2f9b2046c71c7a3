"""Helpers of the tests of scripts/bench-kernel-tuner: the script itself, and runs as it keeps them."""
from script_module import load_script

bench = load_script("bench-kernel-tuner")

DEVICE = {"name": "NVIDIA H200", "sm_count": 132, "max_threads_per_sm": 2048, "l2_bytes": 60 << 20}
FIRST = {"block": 256, "unroll": 4, "vector_bytes": 16, "path": "plain", "mapping": "strided", "blocks_per_sm": 2}


def with_grid(blocks_per_sm):
    return {**FIRST, "blocks_per_sm": blocks_per_sm}


def key(blocks_per_sm):
    return bench.key_of(with_grid(blocks_per_sm))


def run_of(times, choice=None, total=10.0):
    """Returns a run that measured the configurations with these blocks_per_sm; one takes a second."""
    measured = [[float(i), us, with_grid(blocks)] for i, (blocks, us) in enumerate(times, 1)]
    best = min((row for row in measured if row[1] is not None), key=lambda row: row[1])[2]
    return {"total_s": total, "measured": measured, "choice": with_grid(choice) if choice else best}


def request_of(tuner, strategy, **other):
    return {"tuner": tuner, "strategy": strategy, "run": 1, "bytes": 1 << 20, "regime": "warm", "finish": "two_kernel",
            "device": DEVICE, "max_fevals": 200, **other}
