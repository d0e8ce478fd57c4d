#!/usr/bin/env python3
"""perft_960.py [DEPTH] [ENGINE]: what tests/rules/perft_test.cpp compares the 960 starts of Chess960
with: the sum of their leaves at DEPTH (default 3) and the FNV-1a hash of the 960 numbers, one a line,
as ENGINE (default: stockfish) counts them."""
import subprocess
import sys

KNIGHTS = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)]


def first_row(number):
    row = [""] * 8

    def put(piece, nth):
        row[[i for i in range(8) if not row[i]][nth]] = piece

    row[number % 4 * 2 + 1] = "B"
    row[number // 4 % 4 * 2] = "B"
    put("Q", number // 16 % 6)
    for nth in KNIGHTS[number // 96]:
        put("N", nth)
    for piece in "RKR":
        put(piece, 0)
    return "".join(row)


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    path = sys.argv[2] if len(sys.argv) > 2 else "/usr/games/stockfish"
    engine = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    engine.stdin.write("setoption name UCI_Chess960 value true\n")
    counts = []
    for number in range(960):
        row = first_row(number)
        fen = f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"
        engine.stdin.write(f"position fen {fen}\ngo perft {depth}\n")
        engine.stdin.flush()
        for line in engine.stdout:
            if line.startswith("Nodes searched:"):
                counts.append(int(line.split(":")[1]))
                break
    engine.stdin.write("quit\n")
    engine.stdin.close()
    state = 0xCBF29CE484222325
    for byte in "".join(f"{count}\n" for count in counts).encode():
        state = (state ^ byte) * 0x100000001B3 % 2**64
    print(f"depth {depth}: sum {sum(counts)}, hash {state:#018x}")


main()
