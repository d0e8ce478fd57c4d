#!/usr/bin/env python3
"""What other scoring tables change in endings: counts, in exact tablebases, how many positions of each ending are worth
each outcome, and writes docs/experiments/endings.md with its picture from that. What is solved is kept in --out.

  scripts/endings.py [--men N] [--threads N] [--out DIR]
"""
import datetime
import json
import pathlib
import subprocess
import textwrap

import common
import pictures

OUTCOMES = ("Black wins", "White stalemated", "impasse, Black more", "impasse, equal", "impasse, White more",
            "Black stalemated", "White wins")
DEFAULT = (0, 2, 3, 4, 7, 8, 10)
DRAW, BISHOP = "stalemate=5", "bishop=3.25"
# What outcomes pay White, in words, and the folder of the endings: play is the same where the order of outcomes is.
TABLES = {
    "default": (DEFAULT, "the default table", "default"),
    "stalemate=2.2": ((0, 2.2, 3, 4, 7, 7.8, 10), "a stalemate 78 : 22 instead of 80 : 20", "default"),
    "impasse_equal=4.9": ((0, 2, 3, 4.9, 7, 8, 10), "an equal impasse 51 : 49 for Black instead of 60 : 40", "default"),
    DRAW: ((0, 5, 3, 4, 7, 5, 10), "a stalemate as a draw", "draw"),
    BISHOP: (DEFAULT, "a bishop counted as 3.25 in an impasse instead of 3", "bishop"),
}
PIECES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}


def count(asked):
    """By table and ending: for White and Black to move, the positions by outcome."""
    by_folder = {}
    for table, (_, _, name) in TABLES.items():
        kept = asked.out / f"{name}_{asked.men}.json"
        if name not in by_folder and not kept.exists():
            answer = common.run(asked.program, "tablebase", "--men", asked.men, "--out", asked.out / name, "--table", table,
                                "--count", "--threads", asked.threads, "--json")
            kept.write_bytes(answer)
        by_folder[name] = {one["ending"]: (one["white_to_move"], one["black_to_move"])
                           for one in json.loads(kept.read_text())["counts"]}
    return {table: by_folder[name] for table, (_, _, name) in TABLES.items()}


def shares(sides):
    """The outcomes' shares, either side to move in half of the positions."""
    return [sum(side[i] / sum(side) / 2 for side in sides) for i in range(len(OUTCOMES))]


def points(sides, pays):
    return sum(share * pay for share, pay in zip(shares(sides), pays))


def change(counts, table, ending):
    """White's points more than under the default table."""
    return points(counts[table][ending], TABLES[table][0]) - points(counts["default"][ending], DEFAULT)


def by_change(counts, table):
    """The endings, those first that the table changes most."""
    return sorted(counts["default"], key=lambda ending: -abs(change(counts, table, ending)))


def keeps_order(table):
    """Whether the table ranks the outcomes as the default does, and finds the same side ahead: then best play is the same."""
    pays = TABLES[table][0]
    return table != BISHOP and all((a < b) == (c < d) for a, c in zip(pays, DEFAULT) for b, d in zip(pays, DEFAULT))


def shift(points_more):
    return "nothing changes" if abs(points_more) < 0.005 else \
        f"{'Black' if points_more < 0 else 'White'} gets {abs(points_more):.2f} points more"


def effect(counts, table):
    """What a table of other stalemates does, in words."""
    most = by_change(counts, table)[0]
    return (f"{TABLES[table][1]}: {'no move changes' if keeps_order(table) else 'other moves become best'}, with king and "
            f"pawn against king {shift(change(counts, table, 'KPvK'))}, most changes with {words(most)} ({shift(change(counts, table, most))})")


def fill(text):
    text = " ".join(text.split())
    return textwrap.fill(text, 110, subsequent_indent="  " if text.startswith("- ") else "", break_on_hyphens=False)


def words(ending):
    """KQvKN: queen against knight."""
    def side(letters):
        names = [PIECES[letter] for letter in letters[1:]]
        return " and ".join(names) if names else "bare king"
    return " against ".join(map(side, ending.split("v")))


def sentence(ending, counts):
    now = shares(counts["default"][ending])
    common_ones = sorted((i for i in range(len(OUTCOMES)) if now[i] >= 0.005), key=lambda i: -now[i])
    ends = ", ".join(f"{OUTCOMES[i]} {100 * now[i]:.0f} %" for i in common_ones)
    more = change(counts, DRAW, ending)
    profits = "changes nothing" if abs(more) < 0.005 else f"gives {'White' if more > 0 else 'Black'} {abs(more):.2f} points"
    return f"- *{words(ending).capitalize()}* (`{ending}`): {ends}; a drawn stalemate {profits}."


def pawn_table(counts):
    """King and pawn against king under all tables."""
    rows = ["| table | " + " | ".join(OUTCOMES[i] for i in (6, 5, 4, 3)) + " | White's points | less the default |",
            "|---|---|---|---|---|---|---|"]
    base = points(counts["default"]["KPvK"], DEFAULT)
    for table, (pays, what, _) in TABLES.items():
        sides = counts[table]["KPvK"]
        now = shares(sides)
        stalemated = now[5] + (now[1] if table == DRAW else 0)  # one payoff has one name in a tablebase
        cells = [f"{100 * share:.2f} %" for share in (now[6], stalemated, now[4], now[3])]
        mean = points(sides, pays)
        rows.append(f"| `{table}`: {what} | {' | '.join(cells)} | {mean:.3f} | {mean - base:+.3f} |")
    return "\n".join(rows)


def changes(counts, table):
    """The endings that the table changes most, in words."""
    shown = ((change(counts, table, ending), ending) for ending in by_change(counts, table)[:5])
    told = [f"`{ending}` {more:+.2f}" for more, ending in shown if abs(more) >= 0.005]
    return f"- `{table}`, {TABLES[table][1]}: " + (", ".join(told) if told else "less than 0.005 in every ending") + "."


def page(asked, counts):
    endings = [ending for ending in counts["default"] if ending != "KvK"]
    pawn = counts["default"]["KPvK"]
    naive, exact = (points(sides, TABLES[DRAW][0]) for sides in (pawn, counts[DRAW]["KPvK"]))
    revision = subprocess.run(["git", "-C", common.ROOT, "describe", "--always", "--dirty"], capture_output=True,
                              text=True, check=True).stdout.strip()
    paragraph = fill(
        f"""Best play depends on the order of the outcomes alone, and where a table keeps that, on nothing else: so
        {' and '.join(f'`{table}`' for table in TABLES if table != 'default' and keeps_order(table))} change what is paid and no
        move. `{DRAW}` changes the order: paid out for the old play it would leave White {naive:.3f} points, by best play
        {exact:.3f}.""")
    basis = fill(
        f"""All positions of all endings with up to {asked.men} pieces, solved exactly ([tablebases](../tablebases.md)); the
        halfmove clock at 0, either side to move in half of them, those left out in which a king can be taken at once. White
        has the pieces that are named first. Points are White's of ten at best play of both sides.""")
    verdict = fill("- *Verdict:* " + "; ".join(effect(counts, table) for table in ("stalemate=2.2", DRAW)) + ".")
    sentences = "\n".join(fill(sentence(ending, counts)) for ending in endings)
    by_table = "\n".join(fill(changes(counts, table)) for table in TABLES if table != "default")
    return f"""# What do other scoring tables change in endings?

- *Date:* {datetime.date.today()}
- *Revision:* {revision}
- *Command:* `scripts/endings.py --men {asked.men}`
{verdict}

{basis}

![How endings come out at best play](endings.svg)

## King and pawn against king

{paragraph}

{pawn_table(counts)}

## The endings most changed

White's points more than under the default table:

{by_table}

## Each ending

Under the default table, and what it changes where a stalemate pays 5:

{sentences}
"""


def picture(counts):
    rows = [("KPvK, stalemates drawn", shares(counts[DRAW]["KPvK"]),
             f"{points(counts[DRAW]['KPvK'], TABLES[DRAW][0]):.2f} points")]
    for ending, sides in counts["default"].items():
        if ending != "KvK":
            rows.insert(-1, (ending, shares(sides), f"{points(sides, DEFAULT):.2f} points"))
    return pictures.bars(rows, OUTCOMES)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--men", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=common.ROOT / "build" / "endings")
    asked = parser.parse_args()
    counts = count(asked)
    folder = common.ROOT / "docs" / "experiments"
    (folder / "endings.svg").write_text(picture(counts))
    (folder / "endings.md").write_text(page(asked, counts))


main()
