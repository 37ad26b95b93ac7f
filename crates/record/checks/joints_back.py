"""Reads the joints of one recording's multibodies back from .csv, .parquet and .mcap and compares them with each other.

Usage: joints_back.py PATH-WITHOUT-ENDING, of which PATH.mcap is an export of the motion, PATH-joints.csv and
PATH-joints.parquet are exports of the joints, all at the same frames.
"""

import csv
import json
import sys

import numpy
import pyarrow.parquet
from mcap.reader import make_reader

path = sys.argv[1]
with open(f"{path}-joints.csv", newline="") as file:
    rows = list(csv.DictReader(file))
columns = [name for name in rows[0] if name not in ("time_s", "tick")]
assert columns, "no joints"

# Parquet: the same columns and rows, to the last bit
table = pyarrow.parquet.read_table(f"{path}-joints.parquet")
assert table.column_names == list(rows[0]), (table.column_names, list(rows[0]))
assert table.num_rows == len(rows), (table.num_rows, len(rows))
for name in columns:
    theirs = table.column(name).to_numpy(zero_copy_only=False)
    ours = numpy.array([float(row[name] or "nan") for row in rows])
    assert numpy.array_equal(theirs.astype(float), ours, equal_nan=True), name

# MCAP: a channel for each multibody, whose messages say what the rows say
by_time = {round(1e9 * float(row["time_s"])): row for row in rows}
compared = 0
with open(f"{path}.mcap", "rb") as file:
    for schema, channel, message in make_reader(file).iter_messages():
        if not channel.topic.startswith("/joints/"):
            continue
        told = json.loads(message.data)
        # ticks are no whole nanoseconds
        near = [by_time[t] for t in range(message.log_time - 1, message.log_time + 2) if t in by_time]
        assert near, message.log_time
        row = near[0]
        multibody = channel.topic[len("/joints/"):]
        for name, position, rate in zip(told["name"], told["position"], told["velocity"]):
            for column, value in ((f"{multibody}.{name}", position), (f"{multibody}.{name}.rate", rate)):
                assert float(row[column]) == value, (column, row[column], value)
                compared += 1
assert compared == len(columns) * len(rows), compared
print(f"{path}: {len(columns)} columns of joints in {len(rows)} rows equal in CSV and Parquet, {compared} numbers in MCAP")
