#!/usr/bin/env python3
"""torch_forward.py BLOCKSxCHANNELS DEVICE: how many positions a second PyTorch evaluates by itself.

Builds a network of that size as configs/gpu-overnight.toml has it (nn/torch_forward_pass.cpp runs
the same layers) with weights that mean nothing, and runs it in fp32, bf16 and fp16, channels-last,
over batches of several sizes, on a GPU as a CUDA graph. Prints the best of each as JSON. Nothing is
encoded, copied or searched here: it is what self-play on the same device is compared with.
"""
import json
import sys
import time

import torch
from torch import nn

PLANES, GLOBALS, MOVE_PLANES = 62, 39, 69  # nn::Shape's defaults
SQUEEZED, PAIRS, VALUES = 32, 32, 13
POLICY, VALUE, VALUE_HIDDEN = 64, 32, 128
BATCHES = (256, 512, 1024, 2048, 4096)
SECONDS = 0.5  # for each batch


class Block(nn.Module):
    def __init__(self, channels, conditioned):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.squeeze = nn.Linear(channels + GLOBALS, SQUEEZED) if conditioned else None
        self.excite = nn.Linear(SQUEEZED, 2 * channels) if conditioned else None

    def forward(self, x, values):
        y = self.second(self.first(x).relu_())
        if self.squeeze is not None:
            hidden = self.squeeze(torch.cat([y.mean((2, 3)), values], 1)).relu_()
            scale, shift = self.excite(hidden)[:, :, None, None].chunk(2, 1)
            y = y + y * scale + shift
        return y.add_(x).relu_()


class Network(nn.Module):
    def __init__(self, blocks, channels):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1)
        self.shift = nn.Linear(GLOBALS, channels)
        self.blocks = nn.ModuleList(Block(channels, i % 2 == 1) for i in range(blocks))
        self.policy_hidden = nn.Conv2d(channels, POLICY, 1)
        self.policy_out = nn.Conv2d(POLICY, MOVE_PLANES, 1)
        self.pairs = nn.Linear(POLICY, 2 * PAIRS)
        self.value_hidden = nn.Conv2d(channels, VALUE, 1)
        self.value_first = nn.Linear(64 * VALUE + GLOBALS, VALUE_HIDDEN)
        self.value_out = nn.Linear(VALUE_HIDDEN, VALUES)

    def forward(self, planes, values):
        x = self.stem(planes)
        x = x.add_(self.shift(values)[:, :, None, None]).relu_()
        for block in self.blocks:
            x = block(x, values)
        hidden = self.policy_hidden(x).relu_()
        rows = hidden.permute(0, 2, 3, 1).flatten(1, 2)
        left, right = self.pairs(rows).chunk(2, 2)
        value = self.value_hidden(x).relu_().permute(0, 2, 3, 1).flatten(1)
        value = self.value_first(torch.cat([value, values], 1)).relu_()
        return self.policy_out(hidden), torch.bmm(left, right.transpose(1, 2)), self.value_out(value)


def step_of(network, planes, values, cuda):
    """A function that runs the network once and waits for nothing."""
    if not cuda:
        return lambda: network(planes, values)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(5):
            network(planes, values)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        network(planes, values)
    return graph.replay


def speed(network, rows, dtype, device):
    """Positions a second."""
    cuda = device.startswith("cuda")
    planes = torch.zeros(rows, PLANES, 8, 8, dtype=dtype, device=device)
    planes = planes.to(memory_format=torch.channels_last)
    step = step_of(network, planes, torch.zeros(rows, GLOBALS, dtype=dtype, device=device), cuda)
    settle = torch.cuda.synchronize if cuda else lambda: None
    step()
    settle()
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < SECONDS:
        for _ in range(10 if cuda else 1):
            step()
            count += 1
        settle()
    return count * rows / (time.perf_counter() - begin)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: torch_forward.py BLOCKSxCHANNELS DEVICE")
    (blocks, channels), device = map(int, sys.argv[1].split("x")), sys.argv[2]
    torch.backends.cudnn.benchmark = True
    cuda = device.startswith("cuda")
    results = {"device": torch.cuda.get_device_name(device) if cuda else device}
    results["torch"] = torch.__version__
    types = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
    with torch.inference_mode():
        for name, dtype in types.items():
            network = Network(blocks, channels).eval().to(device, dtype)
            network = network.to(memory_format=torch.channels_last)
            found = {}
            for rows in BATCHES if cuda else (64,):
                try:
                    found[rows] = speed(network, rows, dtype, device)
                except RuntimeError as error:  # no memory, or what the type lacks
                    print(f"{name}, {rows}: {str(error).splitlines()[0]}", file=sys.stderr)
            if found:
                best = max(found, key=found.get)
                results[f"forward_{name}_evals_per_s"] = found[best]
                results[f"forward_{name}_batch"] = best
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
