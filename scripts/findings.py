#!/usr/bin/env python3
"""The studies of an NNUE and of networks for other rule sets, and docs/findings.md from what they say. Games are kept in
--out: the same command goes on where it was stopped, and plays nothing that is there (with --read: that lies beside the
page).

  scripts/findings.py [--net NNUE] [--second NNUE] [--run DIR] [--out DIR]
"""
import json
import lzma
import pathlib
import subprocess

import common
import findings_page
from findings_page import BLOCKS, NODES, PAGE, PIECES, SETS, SIMULATIONS, TABLES

NETWORKS = common.ROOT / "networks" / "nnue"
SWEEPS = ("impasse_equal=0:10:11", "impasse_unequal=0:5:6", "stalemate=0:5:6")
FAIR = ("impasse_equal", "impasse_unequal", "stalemate")


def parse():
    parser = common.parser(__doc__)
    parser.add_argument("--net", default=str(NETWORKS / "chess_sharp.safetensors"))
    parser.add_argument("--second", default=str(NETWORKS / "second_seed"),
                        help="an NNUE that learned from another seed")
    parser.add_argument("--run", default=str(NETWORKS / "second_seed"), help="a run whose checkpoints are compared")
    parser.add_argument("--rule-sets", type=pathlib.Path, default=NETWORKS.parent / "rule_sets",
                        help="folder of a network for each block of rule sets")
    parser.add_argument("--out", type=pathlib.Path, default=common.ROOT / "studies" / "findings")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--games", type=int, default=9000, help="of the first question; others take a part of them")
    parser.add_argument("--read", action="store_true", help="first read the games that lie beside the page")
    return parser.parse_args()


class Studies:
    """Runs studies and matches; keeps the commands as a reader would write them, and what they answered."""

    def __init__(self, asked):
        self.asked, self.commands = asked, []

    def run(self, *words):
        words = [str(word) for word in words]
        self.commands.append(" ".join(["./sharpzero", *(f'"{word}"' if " " in word else word for word in words)])
                             .replace(f"{common.ROOT}/", ""))
        return common.run_json(self.asked.program, *words, "--threads", self.asked.threads)

    def __call__(self, folder, command, *words, net=None):
        return self.run(command, "--net", net or self.asked.net, *words, "--seed", 1, "--out", self.asked.out / folder)

    def once(self, folder, *words):
        """What keeps no games is not played again: its answer and revision are kept."""
        kept = self.asked.out / folder / "answer.json"
        command = " ".join(map(str, words))
        if kept.exists() and (before := json.loads(kept.read_text()))["command"] == command:
            self.commands.append(before["shown"])
        else:
            before = {"command": command, "answer": self.run(*words), "shown": self.commands[-1], "revision": revision()}
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(before))
        return {**before["answer"], "revision": before["revision"]}


def revision():
    return subprocess.run(["git", "-C", common.ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True,
                          check=True).stdout.strip()


def without(white, piece):
    """The start without one piece (or pawn) of a side."""
    letter = PIECES[piece] if white else PIECES[piece].lower()
    if piece == "pawn":
        return common.START.replace(letter * 8, letter * 3 + "1" + letter * 4)
    return common.START.replace(letter, "", 1)


def play(asked):
    study = Studies(asked)
    part = asked.games // 6
    tables = [word for table in TABLES for word in ("--table", table)]
    sweeps = [word for sweep in SWEEPS for word in ("--sweep", sweep)]
    answers = {"main": study("games", "advantage", "--sims", NODES, "--games", asked.games)}
    answers["nodes"] = study("games", "advantage", "--sims", f"{NODES // 4},{4 * NODES}", "--games", part)
    answers["second"] = study("second_seed", "advantage", "--sims", NODES, "--games", part, net=asked.second)
    answers["training"] = study("training", "advantage", "--sims", NODES, "--games", part, "--checkpoints", 7,
                                net=asked.run)
    answers["repriced"] = study("games", "scoring", "--sims", NODES, "--games", asked.games, *tables, *sweeps)
    answers["deep"] = study("games", "scoring", "--sims", 4 * NODES, "--games", part, *tables, *sweeps)
    answers["scoring"] = study("games", "scoring", "--sims", NODES, "--games", 4 * part // 3, "--play", *tables,
                               *(word for key in FAIR for word in ("--fair", key)))
    answers["handicaps"] = {
        (piece, white): study("handicaps", "advantage", "--sims", NODES, "--games", part // 3, "--fen",
                              without(white, piece))
        for piece in PIECES for white in (True, False)}
    answers["networks"], answers["strength"] = {}, {}
    for name, sets in BLOCKS.items():
        net = asked.rule_sets / f"{name}.safetensors"
        for rules in sets:
            answers["networks"][rules] = study("rule_sets", "advantage", "--sims", SIMULATIONS, "--games", 4 * part // 10,
                                               "--rules", rules, net=net)
            answers["strength"][rules] = study.once(
                f"strength/{rules}", "match", "--a", f"{net}:sims={SIMULATIONS}", "--b", "alphabeta:2", "--rules", rules,
                "--games", max(part // 30 * 2, 2), "--seed", 1)
    answers["balance"] = study.once("balance", "advantage", "--rules", ",".join(SETS), "--player", "alphabeta:2",
                                    "--games", part // 2 * 2, "--opening-plies", 4, "--seed", 1, "--out",
                                    asked.out / "balance")
    answers["luck"] = study.once("luck", "luck", "--games", max(part // 30 * 2, 2),
                                 *(word for player in ("random", "greedy", "alphabeta:1", "alphabeta:2")
                                   for word in ("--player", player)), "--seed", 1)
    answers["commands"] = study.commands
    return answers


def keep_games(asked):
    """The games beside the page, as PGN."""
    for folder in ("games", "second_seed", "training", "handicaps", "rule_sets"):
        text = common.run(asked.program, "games", "--run", asked.out / folder, "--pgn", "-")
        (PAGE / f"{folder}.pgn.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def read_games(asked):
    for packed in PAGE.glob("*.pgn.xz"):
        folder = asked.out / packed.name.removesuffix(".pgn.xz")
        folder.mkdir(parents=True, exist_ok=True)
        text = folder / "games.pgn"
        text.write_bytes(lzma.decompress(packed.read_bytes()))
        # Chess is what a PGN does not name.
        common.run(asked.program, "games", "--run", folder, "--read", text, "--rules", "chess")


def main():
    asked = parse()
    PAGE.mkdir(exist_ok=True)
    if asked.read:
        read_games(asked)
    answers = play(asked)
    keep_games(asked)
    (PAGE / "commands.sh").write_text("\n".join(answers["commands"]) + "\n")
    findings_page.write(asked, answers, revision())


if __name__ == "__main__":
    main()
