"""Asks for the best known configurations, on a machine without a GPU."""

import redtune

print(f"{'elements':>10}  {'configuration':<70} {'us':>8} {'match'}")
for n in ["4Ki", "1Mi", "5_000_000", "1Gi"]:
    match = redtune.best("sum", "float32", n, "NVIDIA H200")
    parameters = ", ".join(f"{name}={value}" for name, value in list(match.parameters.items())[:4])
    print(f"{n:>10}  {match.family + '(' + parameters + ', ...)':<70} {match.expected_us:8.2f} {match.match}")

# A device that was not tuned is answered too; the time is then not known.
match = redtune.best("argmax", "float16", "16Mi", "NVIDIA A100-SXM4-80GB")
print(f"A100: {match.family}, from {match.tuned_device or 'a rule of thumb'} ({match.match})")
assert match.expected_us is None

try:
    redtune.best("sum", "float32", "1Gi", "NVIDIA H200", match=["exact"], max_workspace_bytes=0)
except redtune.NotFoundError as error:
    print(f"without a workspace: {error}")
