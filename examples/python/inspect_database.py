"""Looks at the winners that ship, with pandas: how fast they are, and how sure the choice is. Needs no GPU."""

import sys

import redtune

try:
    import pandas
except ImportError:
    print("this example needs pandas (pip install pandas)")
    sys.exit(77)

winners = redtune.database().to_pandas("winners", shape="whole", regime="cold", determinism="any")
winners = winners[winners["n"] >= 1 << 26]

with pandas.option_context("display.width", 120):
    print("Bandwidth at 64 Mi elements and more, share of the peak:")
    print(winners.groupby(["op", "dtype"])["share_of_peak"].agg(["min", "max"]).round(3))
    print("\nFamilies that win there:")
    print(winners["family"].value_counts())
    print("\nLead over the second best, in percent:")
    print((100 * (winners["runner_up_ratio"] - 1)).describe().round(2))
