"""Reduces CuPy arrays in two streams, into arrays that exist already. Needs a GPU and CuPy."""

import cupy

import redtune

data = [cupy.random.standard_normal(1 << 22, dtype=cupy.float32) for _ in range(2)]
results = [cupy.empty((), cupy.float32) for _ in data]
cupy.cuda.get_current_stream().synchronize()  # the streams below do not wait for the random numbers

streams = [cupy.cuda.Stream(non_blocking=True) for _ in data]
for stream, x, result in zip(streams, data, results):
    with stream:  # redtune uses CuPy's current stream
        redtune.max(x, out=result)

other = redtune.norm(data[0], stream=streams[1])  # or a stream by name
for stream in streams:
    stream.synchronize()

print("largest elements:", [float(result) for result in results], "norm:", float(other))
for x, result in zip(data, results):
    assert float(result) == float(x.max())
assert abs(float(other) / float(cupy.linalg.norm(data[0].astype(cupy.float64))) - 1) < 1e-5
