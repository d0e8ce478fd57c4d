#!/usr/bin/env python3
"""The studies of one NNUE, and docs/findings.md from what they say. Games are kept in --out: the same command goes on
where it was stopped, and plays nothing that is there (with --read: that lies beside the page).

  scripts/findings.py [--net NNUE] [--second NNUE] [--run DIR] [--out DIR]
"""
import json
import lzma
import pathlib
import subprocess

import common
import findings_page
from findings_page import NODES, PAGE, PIECES, SETS

NETWORKS = common.ROOT / "networks" / "nnue"
TABLES = ("impasse_equal=4.9", "stalemate=2.2", "bishop=3.25")
FAIR = ("impasse_equal", "impasse_unequal", "stalemate")
START = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"


def parse():
    parser = common.parser(__doc__)
    parser.add_argument("--net", default=str(NETWORKS / "chess_sharp.safetensors"))
    parser.add_argument("--second", default=str(NETWORKS / "second_seed"),
                        help="an NNUE that learned from another seed")
    parser.add_argument("--run", default=str(NETWORKS / "second_seed"), help="a run whose checkpoints are compared")
    parser.add_argument("--out", type=pathlib.Path, default=common.ROOT / "studies" / "findings")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--games", type=int, default=9000, help="of the first question; others take a part of them")
    parser.add_argument("--read", action="store_true", help="first read the games that lie beside the page")
    return parser.parse_args()


class Studies:
    """Runs studies; keeps the commands as a reader would write them, and what they answered."""

    def __init__(self, asked):
        self.asked, self.commands = asked, []

    def __call__(self, folder, *words, net=None):
        words = [str(word) for word in words]
        named = [] if "--player" in words else ["--net", net or self.asked.net]
        words = words[:1] + named + words[1:] + ["--seed", "1"]
        if words[0] != "luck":
            words += ["--out", str(self.asked.out / folder)]
        self.commands.append(" ".join(["./sharpzero", *(f'"{word}"' if " " in word else word for word in words)])
                             .replace(f"{common.ROOT}/", ""))
        kept = self.asked.out / folder / "answer.json"  # of those whose games are not kept
        if "--player" in words and kept.exists() and json.loads(kept.read_text())["command"] == words:
            return json.loads(kept.read_text())["answer"]
        answer = common.run_json(self.asked.program, *words, "--threads", self.asked.threads)
        if "--player" in words:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps({"command": words, "answer": answer}))
        return answer


def without(white, piece):
    """The start without one piece (or pawn) of a side."""
    letter = PIECES[piece] if white else PIECES[piece].lower()
    if piece == "pawn":
        return START.replace(letter * 8, letter * 3 + "1" + letter * 4)
    return START.replace(letter, "", 1)


def play(asked):
    study = Studies(asked)
    part = asked.games // 6
    answers = {"main": study("games", "advantage", "--sims", NODES, "--games", asked.games)}
    answers["nodes"] = study("games", "advantage", "--sims", f"{NODES // 4},{4 * NODES}", "--games", part)
    answers["second"] = study("second_seed", "advantage", "--sims", NODES, "--games", part, net=asked.second)
    answers["training"] = study("training", "advantage", "--sims", NODES, "--games", part, "--checkpoints", 7,
                                net=asked.run)
    answers["sweep"] = study("games", "scoring", "--sims", NODES, "--games", asked.games,
                             "--sweep", "impasse_equal=0:10:11", "--sweep", "stalemate=0:5:6")
    answers["scoring"] = study("games", "scoring", "--sims", NODES, "--games", 4 * part // 3, "--play",
                               *(word for table in TABLES for word in ("--table", table)),
                               *(word for key in FAIR for word in ("--fair", key)))
    answers["handicaps"] = {
        (piece, white): study("handicaps", "advantage", "--sims", NODES, "--games", part // 3, "--fen",
                              without(white, piece))
        for piece in PIECES for white in (True, False)}
    answers["balance"] = study("balance", "advantage", "--rules", ",".join(SETS), "--player", "alphabeta:2", "--games",
                               part // 2 * 2, "--opening-plies", 4)
    answers["luck"] = study("luck", "luck", "--games", max(part // 30 * 2, 2),
                            *(word for player in ("random", "greedy", "alphabeta:1", "alphabeta:2")
                              for word in ("--player", player)))
    answers["commands"] = study.commands
    return answers


def keep_games(asked):
    """The games beside the page, as PGN."""
    for folder in ("games", "second_seed", "training", "handicaps"):
        text = common.run(asked.program, "games", "--run", asked.out / folder, "--pgn", "-")
        (PAGE / f"{folder}.pgn.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def read_games(asked):
    for packed in PAGE.glob("*.pgn.xz"):
        folder = asked.out / packed.name.removesuffix(".pgn.xz")
        folder.mkdir(parents=True, exist_ok=True)
        text = folder / "games.pgn"
        text.write_bytes(lzma.decompress(packed.read_bytes()))
        common.run(asked.program, "games", "--run", folder, "--read", text)


def main():
    asked = parse()
    PAGE.mkdir(exist_ok=True)
    if asked.read:
        read_games(asked)
    answers = play(asked)
    keep_games(asked)
    revision = subprocess.run(["git", "-C", common.ROOT, "describe", "--always", "--dirty"], capture_output=True,
                              text=True, check=True).stdout.strip()
    findings_page.write(asked, answers, revision)


if __name__ == "__main__":
    main()
