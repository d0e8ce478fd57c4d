#!/usr/bin/env python3
"""The weighted mean of networks that learned on from the same one: what they learned together stays, what each learned by
heart does not. Writes OUT; metadata are the first network's.

  scripts/mean_network.py OUT NET:WEIGHT NET:WEIGHT ...
"""
import array
import json
import struct
import sys


def read(path):
    """Header and data of a safetensors file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        return header, array.array("f", file.read())


def checksum(data):
    """FNV-1a of 64 bits, as nn/weights.cpp has it."""
    state = 0xCBF29CE484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return str(state)


def main():
    if len(sys.argv) < 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    named = [word.rpartition(":") for word in sys.argv[2:]]
    try:
        weights = [float(weight) for _, _, weight in named]
        networks = [read(path) for path, _, _ in named]
    except (OSError, ValueError) as error:
        sys.exit(f"{error}; expected NET:WEIGHT, a file that is there and a number")
    header = networks[0][0]
    arrays = [{name: one for name, one in each.items() if name != "__metadata__"} for each, _ in networks]
    if any(each != arrays[0] or one["dtype"] != "F32" for each in arrays for one in each.values()):
        sys.exit("expected networks of one shape, of 32-bit floats")
    shares = [weight / sum(weights) for weight in weights]
    mean = array.array("f", (sum(share * x for share, x in zip(shares, column)) for column in zip(*(data for _, data in networks))))
    header["__metadata__"]["checksum"] = checksum(mean.tobytes())
    header["__metadata__"].pop("header_checksum", None)  # of the header before; a file may do without
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(sys.argv[1], "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + mean.tobytes())


if __name__ == "__main__":
    main()
