#!/usr/bin/env python3
"""Reads a run's event files with TensorBoard's own reader and compares them with metrics.jsonl.

usage: check_tensorboard.py RUN    (needs the Python package tensorboard)
"""

import json
import pathlib
import struct
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def group(key):
    """The group under which TensorBoard shows a measure."""
    if key.startswith("score_vs_") or key == "elo":
        return "match/"
    learning = ("loss", "policy_floor", "learning_rate", "steps", "window")
    if key.endswith(("_loss", "_gap")) or key in learning:
        return "loss/"
    return "speed/" if key.endswith(("_s", "_per_h")) else "selfplay/"


def flatten(tag, value, out):
    """The scalars of a record, tagged as the program tags them."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, (int, float)):
        out[tag] = struct.unpack("f", struct.pack("f", value))[0]
        return
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in items:
        flatten(f"{tag}/{key}", member, out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    run = pathlib.Path(sys.argv[1])
    expected = {}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        record = json.loads(line)
        generation = record.pop("generation")
        scalars = {}
        for key, value in record.items():
            flatten(group(key) + key, value, scalars)
        for tag, value in scalars.items():
            expected[tag, generation] = value

    accumulator = EventAccumulator(str(run / "metrics"), size_guidance={"scalars": 0})
    accumulator.Reload()
    seen = {
        (tag, event.step): event.value
        for tag in accumulator.Tags()["scalars"]
        for event in accumulator.Scalars(tag)
    }
    wrong = [key for key in expected.keys() | seen.keys() if expected.get(key) != seen.get(key)]
    for key in sorted(wrong):
        print(f"{key}: metrics.jsonl {expected.get(key)}, TensorBoard {seen.get(key)}")
    print(f"{len(expected)} scalars, {len(wrong)} differ")
    sys.exit(1 if wrong or not expected else 0)


main()
