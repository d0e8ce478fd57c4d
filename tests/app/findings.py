#!/usr/bin/env python3
"""Checks the page of findings. Prints a line for each fault; exit code 1 where there is one.

  findings.py ROOT PROGRAM scoring|power|together|strength|depths|changed|best_play|read|name

The first seven by figures that were made up for them:
scoring   the games that a changed table pays otherwise are counted; what the network expects is no answer
power     what a study would have shown follows from its intervals, and no verdict stands where the figures give none
together  intervals that are read together hold together
strength  the player's Elo is that of the nodes of the games
depths    the first move by depths and networks: the mean, what is apart from the table, when it has converged
changed   options are compared with the usual rules, by intervals that hold together where they are read together
best_play whether bounds leave out 5, and which games from the book differ

read      a small page is the same, computed again from the games that lie beside it, none of them played anew
name      page, commands and games are of the one NNUE that the page's folder names
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

ROOT, PROGRAM = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2]
FOLDER = tempfile.TemporaryDirectory()  # gone when the script ends
sys.path.insert(0, str(ROOT / "scripts"))
import findings_page  # noqa: E402 - where the scripts lie


def estimate(mean, half=0.1):
    return {"mean": mean, "low": mean - half, "high": mean + half}


def set_of(games, nodes):
    """Games of which a tenth ends in each of the impasses and stalemates."""
    return {"games": games, "simulations": nodes, "generation": 1, "points_white": estimate(5),
            "outcomes": [{"share": estimate(one)} for one in (0.25, 0.1, 0.1, 0.1, 0.1, 0.1, 0.25)]}


def table_of(name, changed, games):
    return {"table": name, "network": 5, "difference": estimate(0.01, 0.005), "played": estimate(5),
            "changed_games": changed, "changed_share": estimate(changed / games, 0.001)}


def answers_of(changed, changed_deep):
    """As findings.py gathers them, where a table pays so many of 9,000 and of 1,500 games otherwise."""
    tables = ["default", *findings_page.TABLES]
    return {"page": pathlib.Path(FOLDER.name), "main": {"sets": [set_of(9000, 1000)]}, "nodes": {"sets": [set_of(1500, 250), set_of(1500, 4000)]},
            "second": {"sets": [set_of(1500, 1000)]},
            "repriced": {"tables": [table_of(name, changed, 9000) for name in tables]},
            "deep": {"simulations": 4000, "games": 1500, "tables": [table_of(name, changed_deep, 1500) for name in tables]},
            "scoring": {"games": 2000, "tables": [table_of(name, 0, 2000) for name in tables]}}


def scoring():
    answers = answers_of(20, 16)
    for table in answers["repriced"]["tables"][1:]:
        table["network"] = 5.17
    short, detail = findings_page.scoring(answers)
    if "0.17" in detail:
        yield f"the network's expectation stands beside the games: {detail}"
    for _, _, sure, _ in short:
        if "20 of 9,000 games (0.2 %)" not in sure or "16 of 1,500 games (1.1 %)" not in sure:
            yield f"the games that change are not counted: {sure}"


def power():
    # A standard error of 1 is seen four times of five from 1.96 + 0.84 on.
    if abs(findings_page.detectable(estimate(0, 1.95996)) - 2.8016) > 1e-3:
        yield f"detectable: {findings_page.detectable(estimate(0, 1.95996))}"
    lopsided = findings_page.less({"mean": 0.01, "low": 0.008, "high": 0.02}, {"mean": 0, "low": 0, "high": 0.001})
    if not (math.isclose(lopsided["low"], 0.01 - math.hypot(0.002, 0.001)) and math.isclose(lopsided["high"], 0.02)):
        yield f"less: {lopsided}"
    falling, _ = findings_page.scoring(answers_of(90, 3))
    for _, _, sure, _ in falling:
        if "the more" in sure or "-0.80 [" not in sure:
            yield f"fewer games change at more nodes: {sure}"
    narrow = answers_of(20, 16)
    for table in narrow["scoring"]["tables"]:
        table["played"] = estimate(5, 0.01)
    if findings_page.scoring(narrow)[0] == findings_page.scoring(answers_of(20, 16))[0]:
        yield "what new games would have shown does not depend on them"
    answers = answers_of(20, 16)
    points = [{"value": value, "repriced": estimate(5)} for value in (0, 5, 10)]
    for study in ("repriced", "deep"):
        answers[study]["sweeps"] = [{"key": "stalemate", "points": points}]
    rounds = [{"value": value, "points_white": estimate(5)} for value in (2.1, 2.4)]
    answers["scoring"]["fair"] = [{"key": "stalemate", "rounds": rounds}]
    ((_, answer, sure, _),), detail = findings_page.fair(answers)
    if "New games under 2.40, the last value that was played" not in " ".join(detail.split()):
        yield f"fair values, the last round: {detail}"
    if "5.00 [4.90, 5.10]" not in answer or "0.14 of ten" not in sure:
        yield f"fair values: {answer} {sure}"


def together():
    # 0.71 apart with standard errors of 0.19 each: not by chance one time of four, but one of ten.
    networks = {rules: {"sets": [{**set_of(600, 64), "rules": rules, "points_white": estimate(5, 0.37)}]}
                for sets in findings_page.BLOCKS.values() for rules in sets}
    networks["chess_sharp+sprint"]["sets"][0]["points_white"] = estimate(5.71, 0.37)
    networks["chess"]["sets"][0]["points_white"] = estimate(4.5, 0.37)
    simple = [{**set_of(1500, 0), "rules": rules, "points_white": estimate(mean)}
              for rules, mean in zip(findings_page.SETS, (4.8, 5.05, 5.2, *[5] * len(findings_page.SETS)))]
    answers = {**answers_of(20, 16), "networks": networks, "balance": {"sets": simple, "revision": ""},
               "strength": {rules: {"points": estimate(9), "games": 100} for rules in networks}}
    ((_, answer, sure, _),), detail = findings_page.balance(answers)
    if "2 of its 14 means lie above 5, 1 by an interval" not in " ".join(detail.split()):
        yield f"the means above 5: {detail}"
    if "is not seen" not in sure:
        yield f"an interval below 5 shows no advantage of White's: {sure}"
    if "Of 10 differences to the first of a block 0 leave out 0" not in answer:
        yield f"intervals hold together for a block only: {answer}"
    # 0.267 (2.81 + 0.84), and of one mean 0.189 (1.96 + 0.84).
    if "difference of 1.0 of ten" not in sure or "0.5 away from 5" not in sure:
        yield f"the power of a difference: {sure}"


def strength():
    levels = {1000: 100, 10000: 300, 100000: 400}
    for nodes, elo, near in ((1000, 100, [1000, 10000]), (100, -100, [1000, 10000]), (10**6, 500, [10000, 100000])):
        found = findings_page.elo_at(nodes, levels)
        if not math.isclose(found[0], elo, abs_tol=1e-9) or found[1] != near:
            yield f"{nodes} nodes: {found}"
    rated, fairy = findings_page.rated_levels()
    if len(rated) < 3 or not rated[5000] < fairy < rated[400000]:
        yield f"levels.md: {rated}, {fairy}"
    asked = types.SimpleNamespace(net=[str(ROOT / "networks" / "nnue" / "colour_blind" / "chess_sharp.safetensors")])
    said = findings_page.strength(asked, answers_of(20, 16))
    if f"about {findings_page.elo_at(1000, rated)[0]:.0f} Elo" not in said or "extrapolated" not in said:
        yield said
    other = answers_of(20, 16)
    other["main"]["sets"][0]["simulations"] = 2000
    if "level 3, of as many nodes" not in said or "as many nodes" in findings_page.strength(asked, other):
        yield f"what was measured on as many nodes: {said}"
    asked.net = ["another.safetensors"]
    if "Elo" in findings_page.strength(asked, answers_of(20, 16)):
        yield "the levels of another network are quoted"


def depths():
    def study(games, nodes, points, half, even=5, wins=5):
        return {**set_of(games, nodes), "points_white": estimate(points, half), "opening_plies": 8,
                "repriced": {findings_page.EVEN_IMPASSE: estimate(even), findings_page.WINS_ALONE: estimate(wins)}}

    def answers(deepest, half=0.03):
        return {"page": pathlib.Path(FOLDER.name), "depths": [
            [study(12100, 1000, 4.4, half), study(10800, 4000, mean, half), study(9500, 16000, mean, half),
             study(2050, 64000, mean + deepest, half, mean + 0.1, 5.05)] for mean in (4.7, 5.0, 5.3)]}

    ((_, answer, sure, _),), _ = findings_page.first_move(answers(0.05))
    # Each of three known to 0.03: their mean to 0.03 / sqrt(3).
    if "**5.05 [5.03, 5.07]** of ten at 64,000" not in answer or "+1.0 [" not in answer:
        yield f"the mean of three networks: {answer}"
    # The mean of 4.8, 5.1 and 5.4.
    if "at 5 scores 5.10 [" not in answer:
        yield f"an equal impasse at 5: {answer}"
    if "It has converged" not in sure or "deviation is 0.30" not in sure or "+0.05 [" not in sure:
        yield f"differences within 0.15 that count as moved: {sure}"
    if "not claimed" not in findings_page.first_move(answers(0.13))[0][0][2]:
        yield "a difference of 0.13 whose interval goes beyond 0.15 counts as converged"
    shallow = answers(0)
    shallow["depths"] = [of_network[:3] for of_network in shallow["depths"]]
    ((_, answer, sure, _),), detail = findings_page.first_move(shallow)
    if "not claimed" not in sure or "at 16,000" not in answer or "9,500 of 9,500" not in detail:
        yield f"without the greatest depth: {answer} {sure}"


def changed():
    def study(games, points, first, queen_turn):
        placing = {"king": {"first": estimate(first, 0.01), "turn": estimate(2), "turns": [0.1] * 40},
                   "queen": {"first": estimate(0.2, 0.01), "turn": estimate(queen_turn)}}
        return {**set_of(games, 1000), "points_white": estimate(points), "placing": {"white": placing},
                "variety": [{"effective": 10 * plies} for plies in range(5)],
                "promotions": {"count": 8000, "under": estimate(0.004, 0.001)}}

    options = {rules: study(9000, 5 + 0.1 * others, 0.5, 3) for others, rules in enumerate(findings_page.OPTIONS, 1)}
    answers = {"page": pathlib.Path(FOLDER.name), "nodes": {"sets": [study(12100, 5, 0.25, 22)]}, "options": options,
               "networks": {rules: {"sets": [study(600, 4.9, 0, 9)]} for rules in findings_page.BLOCKS["chess_family"]}}
    said = {question: (answer, sure) for question, answer, sure, _ in findings_page.rule_changes(answers)[0]}
    before, sprint, queen, under = list(said.values())[:4]
    # 0.141 alone; 2.69 / 1.96 times as wide where seven are read together.
    if "from 1: +0.10 [-0.09, +0.29]; +0.20" not in before[0] or "+0.70 [+0.51, +0.89]." not in before[0]:
        yield f"pieces placed before moving: {before[0]}"
    if "in 50.0 [49.0, 51.0] % of" not in sprint[0] or "without it at White's first turn in 25.0" not in sprint[0] or "+0.80 [+0.66, +0.94]" not in sprint[0]:
        yield f"the double step: {sprint[0]}"
    if "20.0 [19.0, 21.0] %" not in queen[0] or "else at turn 22.0" not in queen[0] or "+0.90" not in queen[0]:
        yield f"the queen: {queen[0]}"
    if "Of 8,000 promotions 0.4 [0.3, 0.5] %" not in under[0]:
        yield f"underpromotion: {under[0]}"


def best_play():
    book = {"value": 4.8, "low": 4.6, "high": 4.9, "positions": 100, "depth": 3, "nodes": 1000,
            "by_games": [{"temperature": 0.1, "games": 50, "points_white": estimate(5.15, 0.1)},  # alone it would differ
                         {"temperature": 0.3, "games": 50, "points_white": estimate(4.5, 0.1)}]}
    (_, answer, sure, _), = findings_page.best_play({**answers_of(20, 16), "book": book})[0]
    detail = findings_page.best_play({**answers_of(20, 16), "book": book})[1]
    if "bounds that leave out 5" not in answer or "4.50 [4.40, 4.60] at 0.3" not in sure:
        yield f"best play: {answer} {sure}"
    if "that at 0.3 differs" not in " ".join(detail.split()):
        yield f"the games that differ from the plain ones: {detail}"


def read():
    folder = pathlib.Path(FOLDER.name)
    page, games = folder / "small", folder / "games"
    kept = []

    def findings(*more):
        subprocess.run([sys.executable, ROOT / "scripts" / "findings.py", "--program", PROGRAM, "--question", "Fair values",
                        "--games", "24,48,24,0", "--nodes", "20", "--page", page, "--out", games, *more], check=True, timeout=300)
        listed = subprocess.run([PROGRAM, "games", "--run", games / "games", "--json"], capture_output=True, text=True,
                                check=True).stdout
        kept.append(sorted(json.loads(line)["moves"] for line in listed.splitlines()))
        return [(folder / "small.md").read_text(), (page / "details.md").read_text(), (page / "commands.sh").read_text()]

    played = findings("--net", ROOT / "networks" / "nnue" / "colour_blind" / "chess_sharp.safetensors")
    if "colour_blind" not in played[0] or "](small/games.pgn.xz) |" not in played[0] or "White's mean goes from" not in played[1]:
        yield f"no page: {played[0]} {played[1]}"
    if "](../small/sweep.svg)" not in played[1] or "](small/sweep.svg)" not in played[0] or not (page / "sweep.svg").exists():
        yield "a picture is not found from both pages"
    shutil.rmtree(games)  # all that is left lies beside the page
    if findings("--read") != played:
        yield "the page says something else of the games beside it"
    if kept[0] != kept[1]:
        yield f"{len(kept[0])} games were kept, {len(kept[1])} are there after they were read"


def name():
    page = ROOT / "docs" / "findings"
    net = json.loads((page / "played_by.json").read_text())["nets"][0]
    if not (ROOT / net).exists():
        yield f"{net}: no such file"
    if f"(`{net}`)" not in " ".join((page.parent / "findings.md").read_text().split()):
        yield f"docs/findings.md does not name {net}"
    for line in (page / "commands.sh").read_text().splitlines():
        if ("/games" in line or "/handicaps" in line) and f" --net {net} " not in line:
            yield f"commands.sh: {line}: expected --net {net}"


def main():
    faults = list({"scoring": scoring, "power": power, "together": together, "strength": strength, "depths": depths, "changed": changed,
                   "best_play": best_play, "read": read, "name": name}[sys.argv[3]]())
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
