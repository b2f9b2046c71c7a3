"""The two reductions of a softmax over rows: the largest element of each row, then the sum. Needs a GPU and PyTorch."""

import torch

import redtune

scores = torch.randn(4096, 1000, device="cuda")


def softmax(x):
    """Return the softmax of each row."""
    shifted = torch.exp(x - redtune.max(x, axis=-1, keepdims=True))
    return shifted / redtune.sum(shifted, axis=-1, keepdims=True)


probabilities = softmax(scores)

# The first call for a size compiles its kernel. After it, calls can be recorded in a CUDA graph.
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    recorded = softmax(scores)
graph.replay()

expected = torch.softmax(scores.double(), dim=-1)
torch.testing.assert_close(probabilities.double(), expected, rtol=1e-5, atol=0)
torch.testing.assert_close(recorded, probabilities)
print(f"softmax of {scores.shape[0]} rows; their sums are {redtune.sum(probabilities, axis=-1)[:3].tolist()}, ...")
