"""Sums a PyTorch tensor: the whole of it, and each row. Needs a GPU and PyTorch."""

import torch

import redtune

x = torch.rand(1000, 4096, device="cuda")

total = redtune.sum(x)  # a 0-d tensor on the device; nothing has waited for the GPU
rows = redtune.sum(x, axis=-1)
in_double = redtune.sum(x, dtype=torch.float64)

print(f"sum of {x.numel()} elements: {total.item():.1f} (float32), {in_double.item():.1f} (accumulated in float64)")
print(f"{rows.shape[0]} sums of rows, the first: {rows[0].item():.3f}")

reference = x.double().sum(dim=-1)
torch.testing.assert_close(rows.double(), reference, rtol=1e-5, atol=0)
torch.testing.assert_close(in_double, reference.sum(), rtol=1e-12, atol=0)
