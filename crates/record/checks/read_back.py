"""Reads the .csv, .usda, .parquet and .mcap exports of one recording and compares them with each other.

Usage: read_back.py PATH-WITHOUT-ENDING
"""

import csv
import json
import sys

import numpy
import pyarrow.parquet
from mcap.reader import make_reader
from pxr import Usd, UsdGeom

path = sys.argv[1]
with open(f"{path}.csv", newline="") as file:
    rows = list(csv.DictReader(file))

# Parquet: the same rows, to the last bit
table = pyarrow.parquet.read_table(f"{path}.parquet")
assert table.num_rows == len(rows), (table.num_rows, len(rows))
for column in ["time_s", "x_m", "y_m", "z_m", "vx_m_s", "qw", "wz_rad_s"]:
    theirs = table.column(column).to_numpy()
    ours = numpy.array([float(row[column]) for row in rows])
    assert (theirs == ours).all(), column
assert table.column("tick").to_pylist() == [int(row["tick"]) for row in rows]
assert table.column("name").to_pylist() == [row["name"] for row in rows]
events = [event or "" for event in table.column("event").to_pylist()]
assert events == [row["event"] for row in rows]
print(f"{path}.parquet: {table.num_rows} rows, {table.num_columns} columns, equal to the CSV")

# USD: every body is there and stands where the CSV says at every event
stage = Usd.Stage.Open(f"{path}.usda")
rate = stage.GetTimeCodesPerSecond()
prims = {}
moving_meshes = 0
for prim in stage.GetPrimAtPath("/World").GetChildren():
    number = int(prim.GetName()[1:].split("_")[0])
    prims[number] = UsdGeom.Xformable(prim)
    if prim.IsA(UsdGeom.Mesh):
        points = UsdGeom.Mesh(prim).GetPointsAttr()
        moving_meshes += points.GetNumTimeSamples() > 1
worst = 0.0
for row in rows:
    if not row["event"] or prims[int(row["body"])].GetPrim().IsA(UsdGeom.Mesh):
        continue
    matrix = prims[int(row["body"])].GetLocalTransformation(rate * float(row["time_s"]))
    place = matrix.ExtractTranslation()
    worst = max(worst, *(abs(place[i] - float(row[f"{axis}_m"])) for i, axis in enumerate("xyz")))
# several events of one body at one tick share a key; positions do not jump there
assert worst < 1e-9, worst
print(f"{path}.usda: {len(prims)} bodies, {moving_meshes} deforming, off by {worst:.1e} m at events")

# MCAP: the log is whole, and names frames and events
counts = {}
with open(f"{path}.mcap", "rb") as file:
    reader = make_reader(file)
    for schema, channel, message in reader.iter_messages():
        json.loads(message.data)
        counts[channel.topic, schema.name] = counts.get((channel.topic, schema.name), 0) + 1
assert counts["/scene", "foxglove.SceneUpdate"] == 1
happened = sum(row["event"] not in ("", "Start", "Step") for row in rows)
assert counts.get(("/events", "warpline.Event"), 0) == happened, (counts, happened)
print(f"{path}.mcap: {counts}")
