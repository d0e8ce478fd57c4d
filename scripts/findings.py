#!/usr/bin/env python3
"""The studies of an NNUE and of networks for other rule sets, and docs/findings.md from what they say. Games are kept in
--out: the same command goes on where it was stopped, and plays nothing that is there (with --read: that lies beside the
page).

  scripts/findings.py [--net NNUE ...] [--games N,N,N,N] [--out DIR] [--page DIR] [--question HEAD]

Which NNUEs played the games beside the page says played_by.json there.
"""
import argparse
import functools
import json
import lzma
import pathlib
import subprocess

import common
import findings_page
from findings_page import (BLOCKS, EVEN_IMPASSE, MEANT, OPTIONS, PIECES, QUESTIONS, SETS, SIMULATIONS, TABLES,
                           WINS_ALONE, games_of)

SWEEPS = ("impasse_equal=0:10:11", "impasse_unequal=0:5:6", "stalemate=0:5:6")
FAIR = ("impasse_equal", "impasse_unequal", "stalemate")
# In the folder of a page's games: which NNUEs played them, and by which search (--search of a study).
PLAYED_BY = "played_by.json"


def parse():
    parser = common.parser(__doc__)
    parser.add_argument("--net", action="append",
                        help="an NNUE; may be repeated, the others for runs of their own. The first plays what only one "
                        "plays (default: those of the page that is there, else the one that comes along)")
    parser.add_argument("--rule-sets", type=pathlib.Path, default=common.ROOT / "networks" / "rule_sets",
                        help="folder of a network for each block of rule sets")
    parser.add_argument("--out", type=pathlib.Path, default=common.ROOT / "studies" / "findings")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--games", type=counts, default=MEANT,
                        help="of each NNUE, with a quarter of --nodes a move, with as many, with 4 and with 16 times as many; "
                        "other studies take a part of the second (default: %s)" % ",".join(map(str, MEANT)))
    parser.add_argument("--nodes", type=int, default=4000, help="a move of most games (default: 4000)")
    parser.add_argument("--read", action="store_true", help="first read the games that lie beside the page")
    parser.add_argument("--page", type=pathlib.Path, default=common.ROOT / "docs" / "findings",
                        help="folder of games and pictures; the page lies beside it")
    parser.add_argument("--question", action="append", choices=list(QUESTIONS), help="answer this one alone; may be repeated")
    asked = parser.parse_args()
    asked.question = asked.question or list(QUESTIONS)
    played_by = asked.page / PLAYED_BY
    if asked.net is None:
        before = json.loads(played_by.read_text())["nets"] if played_by.exists() else [common.NNUE]
        asked.net = [common.ROOT / net for net in before]
    asked.net = [str(pathlib.Path(net).absolute()) for net in asked.net]
    if len(asked.net) < 2 and any({"second", "depths"} & {*QUESTIONS[head][1]} for head in asked.question):
        parser.error("expected a second --net, as answers of one network are compared with another's")
    return asked


def counts(words):
    """Four numbers of games, of which the last may be 0; the other three depths are all asked about."""
    numbers = tuple(int(word) if word.isdecimal() else -1 for word in words.split(","))
    if len(numbers) != len(MEANT) or min(numbers) < 0 or 0 in numbers[:3]:
        raise argparse.ArgumentTypeError(f"{words}: expected four numbers such as 12100,10800,9500,0")
    return numbers


class Studies:
    """Runs studies and matches; keeps the commands as a reader would write them, and what they answered."""

    def __init__(self, asked):
        self.asked, self.commands = asked, []

    def run(self, *words, hidden=()):
        words = [str(word) for word in words]
        self.commands.append(" ".join(["./sharpzero", *(f'"{word}"' if " " in word else word for word in words)])
                             .replace(f"{common.ROOT}/", ""))
        return common.run_json(self.asked.program, *words, *hidden, "--threads", self.asked.threads)

    def __call__(self, folder, command, *words, net=None):
        return self.run(command, "--net", net or self.asked.net[0], *words, "--seed", 1, "--out", self.asked.out / folder,
                        hidden=self.kept(folder))

    def kept(self, folder):
        """Games that were read are of the search that played them, and none is played anew."""
        if not self.asked.read or not (self.asked.page / f"{folder}.pgn.xz").exists():
            return []
        return ["--search", "0" if folder == "rule_sets" else json.loads((self.asked.page / PLAYED_BY).read_text())["search"]]

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


def networks(study, asked):
    """The rule sets' networks against themselves, and against alphabeta:2."""
    games, strength = {}, {}
    for rules, net in networks_of_sets(asked):
        games[rules] = of_set(study, "advantage", rules, net, asked.games[1] // 18)
        strength[rules] = study.once(
            f"strength/{rules}", "match", "--a", f"{net}:sims={SIMULATIONS}", "--b", "alphabeta:2", "--rules", rules,
            "--games", pairs(asked), "--seed", 1)
    return {"networks": games, "strength": strength}


def networks_of_sets(asked):
    """Each rule set that a network plays, with that network."""
    return [(rules, asked.rule_sets / f"{name}.safetensors") for name, sets in BLOCKS.items() for rules in sets]


def of_set(study, command, rules, net, games):
    """A study of so many games of a rule set's network against itself. Another precision plays other games."""
    return study("rule_sets", command, "--sims", SIMULATIONS, "--games", games, "--rules", rules, "--precision", "int8",
                 net=net)


def pairs(asked):
    """Games of a match."""
    return max(asked.games[1] // 216 * 2, 2)


def play(asked):
    """The answers of the studies that the questions need, and the commands that gave them."""
    study, nodes, part = Studies(asked), asked.nodes, asked.games[1] // 6
    depths = [nodes // 4, nodes, 4 * nodes, 16 * nodes]
    tables = [word for table in TABLES for word in ("--table", table)]
    sweeps = [word for sweep in SWEEPS for word in ("--sweep", sweep)]

    @functools.cache
    def games(network, depth):
        return study(games_of(network), "advantage", "--sims", depths[depth], "--games", asked.games[depth],
                     net=asked.net[network])["sets"][0]

    def repriced(network, depth):
        """The same games, with what they pay under other tables."""
        tables = study(games_of(network), "scoring", "--sims", depths[depth], "--games", asked.games[depth], "--table",
                       EVEN_IMPASSE, "--table", WINS_ALONE, net=asked.net[network])["tables"]
        return {**games(network, depth), "repriced": {row["table"]: row["repriced"] for row in tables}}

    played = [depth for depth, count in enumerate(asked.games) if count]
    studies = {
        "main": lambda: {"sets": [games(0, 1)]},
        "nodes": lambda: {"sets": [games(0, 0), games(0, 2)]},
        "second": lambda: {"sets": [games(1, 1)]},
        "depths": lambda: [[repriced(network, depth) for depth in played] for network in range(len(asked.net))],
        "repriced": lambda: study("games", "scoring", "--sims", nodes, "--games", asked.games[1], *tables, *sweeps),
        "deep": lambda: study("games", "scoring", "--sims", depths[2], "--games", asked.games[2], *tables, *sweeps),
        "scoring": lambda: study("games", "scoring", "--sims", nodes, "--games", 4 * part // 3, "--play", *tables,
                                 *(word for key in FAIR for word in ("--fair", key))),
        "handicaps": lambda: {
            (piece, white): study("handicaps", "advantage", "--sims", nodes, "--games", part // 3, "--fen",
                                  without(white, piece))
            for piece in PIECES for white in (True, False)},
        # Three quarters, so that each is known to 0.1. Their PGN would be too large to lie beside the page.
        "options": lambda: {
            rules: study("options", "advantage", "--sims", depths[0], "--games", 3 * asked.games[0] // 4, "--rules", rules,
                         "--any-rules")["sets"][0]
            for rules in OPTIONS},
        "networks": lambda: networks(study, asked),
        # A quarter of them, as each position is searched again.
        "excitement": lambda: {rules: of_set(study, "excitement", rules, net, part // 10)
                               for rules, net in networks_of_sets(asked)},
        "course": lambda: study("games", "excitement", "--sims", nodes, "--games", part),
        "balance": lambda: study.once("balance", "advantage", "--rules", ",".join(SETS), "--player", "alphabeta:2",
                                      "--games", part // 2 * 2, "--opening-plies", 4, "--seed", 1, "--out",
                                      asked.out / "balance"),
        "book": lambda: study.once("book", "book", "--out", common.ROOT / "networks" / "book", "--games", part // 3,
                                   "--game-nodes", nodes, "--seed", 1),
        "luck": lambda: study.once("luck", "luck", "--games", pairs(asked),
                                   *(word for player in ("random", "greedy", "alphabeta:1", "alphabeta:2")
                                     for word in ("--player", player)), "--seed", 1),
    }
    wanted = {"main", *(name for head in asked.question for name in QUESTIONS[head][1])}
    answers = {name: ask() for name, ask in studies.items() if name in wanted}
    return {**answers, **answers.pop("networks", {}), "page": asked.page, "commands": study.commands}


def keep_games(asked, answers):
    """The games beside the page, as PGN, and who played them."""
    for folder in (*map(games_of, range(len(asked.net))), "handicaps", "rule_sets"):
        if (asked.out / folder / "games.db").exists():
            text = common.run(asked.program, "games", "--run", asked.out / folder, "--pgn", "-")
            (asked.page / f"{folder}.pgn.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    played_by = {"nets": list(map(findings_page.shown, asked.net)), "search": answers["main"]["sets"][0]["search"]}
    (asked.page / PLAYED_BY).write_text(json.dumps(played_by, indent=2) + "\n")


def read_games(asked):
    for packed in asked.page.glob("*.pgn.xz"):
        folder = asked.out / packed.name.removesuffix(".pgn.xz")
        folder.mkdir(parents=True, exist_ok=True)
        text = folder / "games.pgn"
        text.write_bytes(lzma.decompress(packed.read_bytes()))
        # Chess is what a PGN does not name.
        common.run(asked.program, "games", "--run", folder, "--read", text, "--rules", "chess")


def main():
    asked = parse()
    asked.page.mkdir(parents=True, exist_ok=True)
    if asked.read:
        read_games(asked)
    answers = play(asked)
    keep_games(asked, answers)
    (asked.page / "commands.sh").write_text("\n".join(answers["commands"]) + "\n")
    findings_page.write(asked, answers, revision())


if __name__ == "__main__":
    main()
