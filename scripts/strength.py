#!/usr/bin/env python3
"""How strong an NNUE is, by time: against Fairy-Stockfish, against itself with less time or fewer threads, and told of a
table against not told. Prints a table in Markdown. Nothing else should run; each game is kept in --out, so that the same
command goes on where it was stopped.

  scripts/strength.py [--net NNUE] [--out DIR] [ROW…]
"""
import pathlib

import common

FAIRY = "uci-fairy:movetime={}:/usr/games/fairy-stockfish"
# name: (games, A's settings, B: settings or another player, threads, further words)
ROWS = {
    "100 ms, Fairy-Stockfish 100 ms": (200, "movetime=100", FAIRY.format(100), 2, []),
    "1 s, Fairy-Stockfish 1 s": (60, "movetime=1000", FAIRY.format(1000), 2, []),
    "100 ms, itself 25 ms": (200, "movetime=100", "movetime=25", 2, []),
    "400 ms, itself 100 ms": (200, "movetime=400,hash=64", "movetime=100,hash=64", 2, []),
    "1.6 s, itself 400 ms": (60, "movetime=1600,hash=256", "movetime=400,hash=256", 2, []),
    "two threads, itself with one, 100 ms each": (
        None, "movetime=100,threads=2", "movetime=100", 1, ["--sprt", "0,30"]),
    **{f"told that impasses pay {pays}, itself not told, 4,000 nodes, from late positions": (
        500, "nodes=4000", "nodes=4000,table=default", 2, ["--openings", common.LATE, "--table", common.impasse_table(pays)])
       for pays in common.IMPASSES},
}


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--net", default=str(common.NNUE),
                        help="an NNUE's file (default: the one that comes along)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("studies/strength"), help="folder of the games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="only rows with this text in their name")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)

    def play(number, row):
        games, a, b, threads, more = row
        other = b if b.startswith("uci-") else f"{asked.net}:{b}"
        words = ["--games", games, *more] if games else more
        result = common.run_json(
            asked.program, "match", "--a", f"{asked.net}:{a}", "--b", other, "--seed", asked.seed, "--threads", threads,
            "--resume", asked.out / f"{number:02}.games", *words)
        verdict = f", {result['sprt']['verdict']}, LLR {result['sprt']['llr']:.2f}" if "sprt" in result else ""
        return result, [result["games"], common.interval(result["points"]),
                        common.interval(result["elo"], "{:+.0f}") + verdict]

    common.play_rows(asked, ROWS, ["A, B", "games", "points of ten (95 %)", "Elo", "minutes"], play)


if __name__ == "__main__":
    main()
