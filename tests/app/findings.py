#!/usr/bin/env python3
"""Checks the page of findings. Prints a line for each fault; exit code 1 where there is one.

  findings.py ROOT PROGRAM scoring

scoring  what the page says of a changed table, of figures that were made up for it
"""
import pathlib
import sys
import tempfile

ROOT, PROGRAM = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2]
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
    return {"main": {"sets": [set_of(9000, 1000)]}, "nodes": {"sets": [set_of(1500, 250), set_of(1500, 4000)]},
            "second": {"sets": [set_of(1500, 1000)]}, "training": {"sets": [set_of(1500, 1000)] * 3},
            "repriced": {"tables": [table_of(name, changed, 9000) for name in tables]},
            "deep": {"tables": [table_of(name, changed_deep, 1500) for name in tables]},
            "scoring": {"games": 2000, "tables": [table_of(name, 0, 2000) for name in tables]}}


def scoring():
    findings_page.PAGE = pathlib.Path(tempfile.mkdtemp())
    short, _ = findings_page.scoring(answers_of(20, 16))
    for _, _, sure in short:
        if "20 of 9,000 games (0.2 %)" not in sure or "16 of 1,500 games (1.1 %)" not in sure:
            yield f"the games that change are not counted: {sure}"


def main():
    faults = list({"scoring": scoring}[sys.argv[3]]())
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
