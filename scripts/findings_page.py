"""docs/findings.md and its pictures, from what scripts/findings.py asked."""
import itertools
import math
import re
import statistics
import textwrap

import common
import pictures

LEVELS = common.ROOT / "docs" / "experiments" / "levels.md"
BOOK = "book.md#the-book-that-comes-along"
MEANT = (12100, 10800, 9500, 2050)  # games of each NNUE by depth: docs/studies.md says why
CONVERGED = 0.15  # points that White's may differ by from one depth to the next
SIMULATIONS = 64  # a move of the networks for other rule sets
# The rule sets that one network plays, the block's measure first.
BLOCKS = {
    "chess_sharp_options": ("chess_sharp", "chess_sharp+sprint", "chess_sharp+before=3", "chess_sharp+before=7",
                            "chess_sharp+bishops_opposite"),
    "chess_family": ("chess", "no_castling", "pawn_one_square", "chess960", "chess480", "pre_chess", "chess_plus"),
}
AGAIN = "played again by the command"  # a cell, where no games lie beside the page
# Chess# with an option, which the first NNUE plays, too.
BEFORE = tuple(f"chess_sharp+before={others}" for others in range(1, 8))
OPTIONS = (*BEFORE, *(f"chess_sharp+{option}" for option in ("sprint", "queen_any", "underpromotion")))
OTHER_SETS = ("stalemate_win", "raindrop")  # no network plays them
SETS = (*BLOCKS["chess_sharp_options"], *BLOCKS["chess_family"], *OTHER_SETS)
PIECES = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
PHASES = ("placing", "middle", "ending")
OUTCOMES = ("Black wins", "White stalemated", "impasse, Black more", "impasse, equal", "impasse, White more",
            "Black stalemated", "White wins")
HAND_SET = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9}
STALEMATES, IMPASSES = (1, 5), (2, 3, 4)
# What the inventor asks, and in his words.
TABLES = {
    "impasse_equal=4.9": "an equal impasse 51 : 49 for Black instead of 60 : 40",
    "stalemate=2.2": "a stalemate 78 : 22 instead of 80 : 20",
    "bishop=3.25": "a bishop counted as 3.25 in an impasse instead of 3",
}
# The first move apart from the table: an equal impasse pays both alike; every end but a win does.
EVEN_IMPASSE, WINS_ALONE = "impasse_equal=5", "stalemate=5,impasse_unequal=5,impasse_equal=5"
SAYS = {"impasse_equal=4.9": "“6–4 may create too much of an advantage for Black”: "}


def text(estimate, digits=2):
    return common.interval(estimate, f"{{:.{digits}f}}") if estimate else "-"


def signed(estimate, digits=2):
    return common.interval(estimate, f"{{:+.{digits}f}}")


def percent(estimate):
    return "{:.1f} [{:.1f}, {:.1f}] %".format(*(100 * estimate[key] for key in ("mean", "low", "high"))) if estimate else "-"


def holds(estimate, value):
    return estimate["low"] <= value <= estimate["high"]


def half(estimate):
    return (estimate["high"] - estimate["low"]) / 2


def normal(quantile):
    return statistics.NormalDist().inv_cdf(quantile)


def less(a, b, confidence=0.95):
    """a - b of independent estimates whose intervals hold 95 %, with an interval of that confidence (Newcombe 1998,
    method 10: each end from the ends that it comes from, as an interval may be lopsided)."""
    widened = normal(0.5 + confidence / 2) / normal(0.975)
    mean = a["mean"] - b["mean"]
    return {"mean": mean, "low": mean - widened * math.hypot(a["mean"] - a["low"], b["high"] - b["mean"]),
            "high": mean + widened * math.hypot(a["high"] - a["mean"], b["mean"] - b["low"])}


def games_of(network):
    """The folder and file of an NNUE's games."""
    return f"games_{network + 1}" if network else "games"


def detectable(estimate, confidence=0.95):
    """How far off a truth must be for four of five intervals like this one, which hold it with that confidence, to show
    it (power 80 %)."""
    return half(estimate) * (1 + normal(0.8) / normal(0.5 + confidence / 2))


def share(study, outcomes):
    """In per cent, how many of the study's games ended so."""
    return 100 * sum(study["outcomes"][i]["share"]["mean"] for i in outcomes)


def changed(repriced, games):
    """How many of the games a table pays otherwise."""
    return f"{repriced['changed_games']:,} of {games['games']:,} games ({100 * repriced['changed_share']['mean']:.1f} %)"


def nodes_of(answers):
    """A move of most games has so many."""
    return answers["main"]["sets"][0]["simulations"]


def picture(answers, name, drawn):
    """Lays a picture beside the page and returns its address there."""
    (answers["page"] / name).write_text(drawn)
    return f"{answers['page'].name}/{name}"


def kept(answers, folder, *studies):
    """A cell: how many games of a study, or of each, lie in the folder's file beside the page."""
    counts = ", ".join(f"{games:,}" for games in dict.fromkeys(study["games"] for study in studies))
    return f"[{counts}]({answers['page'].name}/{folder}.pgn.xz)"


def wrap(paragraph):
    return textwrap.fill(" ".join(paragraph.split()), 110, break_long_words=False, break_on_hyphens=False) + "\n"


def table(head, rows):
    return "\n".join(["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]) + "\n"


def of_depth(studies):
    """What every network's games with so many nodes a move say together."""
    def paid(changes):
        return common.mean([study["repriced"][changes] for study in studies])

    each = [study["points_white"] for study in studies]
    return {"nodes": studies[0]["simulations"], "games": studies[0]["games"], "each": each, "points": common.mean(each),
            "apart": statistics.stdev(one["mean"] for one in each), "even": paid(EVEN_IMPASSE),
            "wins": {key: 20 * (points - 5) for key, points in paid(WINS_ALONE).items()},
            "impasses": statistics.mean(share(study, IMPASSES) for study in studies)}


def converged(depths):
    """By the rule of docs/studies.md: both of the last two steps, from the second depth on, lie within CONVERGED."""
    steps = [(less(after["points"], before["points"], 0.975), before["nodes"], after["nodes"])
             for before, after in zip(depths[1:], depths[2:])]
    within = len(steps) == 2 and all(max(abs(step["low"]), abs(step["high"])) <= CONVERGED for step, _, _ in steps)
    return ("It has converged, " if within else "That it has converged is not claimed: ") + " and ".join(
        f"{signed(step)} from {before:,} to {after:,}" for step, before, after in steps)


def first_move(answers):
    depths = [of_depth(studies) for studies in zip(*answers["depths"])]
    *shallower, deepest = depths
    networks = range(len(answers["depths"]))
    drawn = picture(answers, "first_move.svg", pictures.whiskers(
        [("nodes a move", []), *((f"{depth['nodes']:,}", depth["each"]) for depth in depths)], 2, 8, 5, 1,
        [f"network {network + 1}" for network in networks]))
    lines = [(f"{depth['nodes']:,}", f"{depth['games']:,} of {meant:,}", ", ".join(map(text, depth["each"])),
              text(depth["points"]), f"{depth['apart']:.2f}", signed(depth["wins"], 1), text(depth["even"]),
              f"{depth['impasses']:.1f}") for depth, meant in zip(depths, MEANT)]
    return [("“White has a slight advantage from going first”",
             f"White scores **{text(deepest['points'])}** of ten at {deepest['nodes']:,} nodes a move: mean of {len(networks)} "
             f"networks. The first move apart from the table: White wins {signed(deepest['wins'], 1)} % more games than Black, "
             f"and with an equal impasse at 5 scores {text(deepest['even'])}.",
             "By fewer nodes: " + ", ".join(f"{text(depth['points'])} at {depth['nodes']:,}" for depth in shallower) +
             f". {converged(depths)}. Between networks the standard deviation is {deepest['apart']:.2f}.",
             "; ".join(kept(answers, games_of(network), *studies) for network, studies in enumerate(answers["depths"])))], wrap(
        f"""Both sides' first {answers['depths'][0][0]['opening_plies']} plies are drawn among the eight best moves of a search, so
        that games differ, which may hide a part of the advantage; then the best move is played. The mean's interval has the
        scatter of the games alone and holds for these networks. *Games*: of each network, and how many were
        [meant](studies.md#by-strong-players). Apart from the table: the same games, paid otherwise.""") + "\n" + table(
            ("nodes a move", "games", "each network", "mean", "deviation between them", "wins less losses, %",
             "equal impasse at 5", "impasses, %"), lines) + f"\n![White's points by nodes]({drawn})\n"


def best_play(answers):
    book, plain = answers["book"], answers["main"]["sets"][0]["points_white"]
    bounds = f"{book['value']:.2f} [{book['low']:.2f}, {book['high']:.2f}]"
    games = [(row["temperature"], row["games"], row["points_white"]) for row in book["by_games"]]
    spread = ", ".join(f"{text(points)} at {temperature}" for temperature, _, points in games)
    away = [temperature for temperature, _, points in games
            if not holds(less(points, plain, 1 - 0.05 / len(games)), 0)]
    beside = ("None of their scores differs" if not away else
              f"Of their scores {'that' if len(away) == 1 else 'those'} at {', '.join(map(str, away))} "
              f"{'differs' if len(away) == 1 else 'differ'}") + f" from the plain games' {text(plain)} (by intervals that hold together)."
    side = "bounds that hold 5" if book["low"] <= 5 <= book["high"] else "bounds that leave out 5"
    return [("What is the start worth under best play?",
             f"By minimax over {book['positions']:,} positions White expects **{bounds}** of ten: {side}.",
             f"A search of {book['nodes']:,} nodes each, the deepest {book['depth']} plies from the start: "
             f"[what such bounds are worth](book.md#what-the-bounds-are-worth). Games from where players leave the book say {spread}.", f"[book]({BOOK})")], wrap(
        f"""[The book](book.md) has its values by minimax, which [favours the side that
        chooses](book.md#what-the-bounds-are-worth). Without that bias: lines are drawn from it, each move by
        exp(-points lost / T), and the NNUE that made it plays on, {nodes_of(answers):,} nodes a move,
        {games[0][1]:,} draws for each T above. {beside}""")


def scoring(answers):
    main, deep = answers["main"]["sets"][0], answers["nodes"]["sets"][1]
    few = answers["nodes"]["sets"][0]
    by_name = {name: {row["table"]: row for row in answers[name]["tables"]} for name in ("repriced", "deep", "scoring")}
    short, rows = [], []
    for name, words in TABLES.items():
        same, at_depth, new = (by_name[study][name] for study in ("repriced", "deep", "scoring"))
        difference = less(new["played"], main["points_white"])
        more = signed(difference)
        rows.append((f"`{name}`: {words}", text(same["difference"], 3), text(at_depth["difference"], 3),
                     text(new["played"]), more))
        changes = (f"{changed(same, main)} at {main['simulations']:,} nodes a move and of {changed(at_depth, deep)} at "
                   f"{deep['simulations']:,}")
        growth = less(*({key: 100 * one["changed_share"][key] for key in ("mean", "low", "high")} for one in (at_depth, same)))
        question = SAYS.get(name, "") + words
        short.append((f"{question[0].upper()}{question[1:]}?",
                      f"It adds {text(same['difference'], 3)} to White's points in the same games; new games differ by "
                      f"{more}.",
                      f"It changes the points of {changes} ({signed(growth)} percentage points). Four of five "
                      f"studies like that of the new games would show a difference of "
                      f"{detectable(difference):.2f}.", kept(answers, "games", main, deep, answers["scoring"])))
    counts = [(f"{row['simulations']:,} nodes", row) for row in (few, main, deep)]
    counts += [(f"second network, {main['simulations']:,} nodes", answers["second"]["sets"][0])]
    drawn = picture(answers, "outcomes.svg", pictures.bars(
        [(name, [one["share"]["mean"] for one in row["outcomes"]], f"{share(row, IMPASSES):.1f} % impasses")
         for name, row in counts], OUTCOMES))
    detail = wrap(
        f"""Impasses end {share(few, IMPASSES):.1f} % of games at {few['simulations']} nodes,
        {share(main, IMPASSES):.1f} % at {main['simulations']:,} and {share(deep, IMPASSES):.1f} % at {deep['simulations']:,}; stalemates
        {share(few, STALEMATES):.1f}, {share(main, STALEMATES):.1f} and {share(deep, STALEMATES):.1f} %.""") + \
        f"\n![How games end]({drawn})\n\n" + table(
            ("table", f"same {main['games']:,} games", f"same {deep['games']:,} at {deep['simulations']:,} nodes", "new games",
             "less all old games"), rows) + "\n" + wrap(
        f"""*Same games*: paid otherwise, White's points more than under the default table. *New games*:
        {answers['scoring']['games']:,} of each were played under the changed table. Whether the network plays to a changed table was
        [measured where an impasse is near](experiments/nnue_tables.md).""")
    return short, detail


def fair(answers):
    lines, tried, widest = [], [], {"repriced": 0, "deep": 0}
    sweeps = {name: {sweep["key"]: sweep["points"] for sweep in answers[name]["sweeps"]} for name in ("repriced", "deep")}
    drawn = []
    for key, points in sweeps["repriced"].items():
        drawn.append((f"{key} =", []))
        drawn += [(f"{one['value']:g}", [one["repriced"], other["repriced"]])
                  for one, other in zip(points, sweeps["deep"][key])]
    games, nodes, more = answers["main"]["sets"][0]["games"], nodes_of(answers), answers["deep"]["simulations"]
    address = picture(answers, "sweep.svg",
                      pictures.whiskers(drawn, 4.25, 5.75, 5, 0.25, (f"{nodes:,} nodes", f"{more:,} nodes")))
    for row in answers["scoring"]["fair"]:
        points = sweeps["repriced"][row["key"]]
        even = [f"{one['value']:g}" for one in points if holds(one["repriced"], 5)]
        tried.append(f"{len(even)} of {len(points)} of `{row['key']}`")
        for study, sweep in sweeps.items():
            means = [one["repriced"]["mean"] for one in sweep[row["key"]]]
            widest[study] = max(widest[study], max(means) - min(means))
        words = (f"- `{row['key']}`, {points[0]['value']:g} to {points[-1]['value']:g}: White's mean goes from "
                 f"{text(points[0]['repriced'])} to {text(points[-1]['repriced'])}; ")
        words += f"{'all' if len(even) == len(points) else ', '.join(even) or 'none'} compatible."
        if row["rounds"]:
            last = row["rounds"][-1]
            words += (f" New games under {last['value']:.2f}, the last value that was played, paid White "
                      f"{text(last['points_white'])}.")
        lines.append(words)
    points = answers["main"]["sets"][0]["points_white"]
    short = [("Which scoring values are fair?",
              f"Under the present ones White scores {text(points)}, an interval that {'holds' if holds(points, 5) else 'leaves out'} 5; of "
              f"the values tried, {', '.join(tried)} are compatible with 5.",
              f"Four of five studies like this one would show a mean that is {detectable(points):.2f} of ten away from 5. The "
              f"same games' mean moves by at most {widest['repriced']:.2f} over a price's whole range ({widest['deep']:.2f} at "
              f"{more:,} nodes a move).", kept(answers, "games", answers["main"]["sets"][0], answers["deep"]))]
    return short, wrap(f"The {games:,} games of {nodes:,} nodes a move, paid otherwise (orange: those of {more:,}; compatible: 5 lies within):") + \
        "\n" + "".join(textwrap.fill(line, 110, subsequent_indent="  ") + "\n" for line in lines) + \
        f"\n![White's points by the price of an equal impasse, an unequal one and a stalemate]({address})\n"


def elo(points):
    """Of a player who scores so many of ten, at most some 1,200."""
    points = min(max(points, 0.01), 9.99)
    return 400 * math.log10(points / (10 - points))


def handicap_elo(answers, piece):
    """What a piece from the start costs, in Elo: mean of both colours, and half of its interval's width."""
    with_black, with_white = (answers["handicaps"][piece, white]["sets"][0]["points_white"] for white in (False, True))
    mean = (elo(with_black["mean"]) - elo(with_white["mean"])) / 2
    wide = math.hypot(*((elo(one["high"]) - elo(one["low"])) / 2 for one in (with_black, with_white))) / 2
    return mean, wide


def pieces(answers):
    main = answers["main"]["sets"][0]
    value = {row["name"]: row for row in main["piece_values"]}
    phases = {phase: {row["name"]: row for row in main["piece_values_by_phase"][phase]} for phase in PHASES}
    drawn = picture(answers, "pieces.svg", pictures.whiskers(
        [(name, [phases[phase][name]["with_knight_3"] for phase in PHASES]) for name in
         [*PIECES, *(f"{piece} in reserve" for piece in list(PIECES)[:-1])]], 0, 14, None, 1, PHASES))
    cost = {piece: handicap_elo(answers, piece) for piece in PIECES}
    knight, knight_wide = cost["knight"][0] or 1e-9, cost["knight"][1]
    base = elo(main["points_white"]["mean"])
    foretold, lines, scores = dict.fromkeys(PHASES, 0), [], {}
    for piece in PIECES:
        mean, wide = cost[piece]
        ratio, error = 3 * mean / knight, 3 * math.hypot(wide / knight, mean * knight_wide / knight**2)
        scores[piece] = {"mean": ratio, "low": ratio - error, "high": ratio + error}
        lost = []
        for white in (True, False):
            scored = answers["handicaps"][piece, white]["sets"][0]["points_white"]
            own = main["points_white"]["mean"] - scored["mean"]
            lost.append(f"{own if white else -own:.2f}")
            for phase in PHASES:
                expected = base + phases[phase][piece]["elo"]["mean"] * (-1 if white else 1)
                foretold[phase] += elo(scored["low"]) <= expected <= elo(scored["high"])
        lines.append((piece, f"{HAND_SET[piece]}", "3" if piece == "knight" else text(scores[piece], 1), f"{mean:.0f} ± {wide:.0f}",
                      ", ".join(lost), "3" if piece == "knight" else text(value[piece]["with_knight_3"]),
                      text(value[piece]["elo"], 0), text(value[f"{piece} in reserve"]["elo"], 0) if piece != "pawn" else ""))
    values = ", ".join(f"{piece} {text(scores[piece], 1)}" for piece in PIECES if piece != "knight")
    inside = all(holds(scores[piece], HAND_SET[piece]) for piece in PIECES if piece != "knight")
    games = answers["handicaps"]["queen", True]["sets"][0]["games"]
    short = [("What are pieces worth?", f"By games with a piece less from the start, the knight at 3: {values}." +
              (" The table's 9, 5, 3, 1 lie within these intervals." if inside else " By hand 9, 5, 3, 1."),
              f"{games} games a row, in which one piece is missing and nothing else. Counted over quiet positions of the "
              f"{main['games']:,} games: " + ", ".join(f"{piece} {value[piece]['with_knight_3']['mean']:.1f}" for piece in PIECES
                                                       if piece != "knight") + ", which describes and proves no cause.",
              f"[{games} a row]({answers['page'].name}/handicaps.pgn.xz)")]
    return short, table(("piece", "by hand", "handicap, knight at 3", "handicap, Elo", "points lost: White, Black",
                         "quiet positions, knight at 3", "Elo", "Elo in reserve"), lines) + "\n" + wrap(
        f"""*Handicap*: {games} games from the start without it (a pawn: the d-pawn) for either colour. *Quiet positions*:
        logistic regression of a game's points on the pieces of [those](studies.md#advantage) of every fifth ply. Its values foretell the handicaps' scores
        within their intervals in {foretold['placing']} of {2 * len(PIECES)} cases by the values of the placing phase (somebody
        has a reserve), in {foretold['middle']} by those of the middle game, in {foretold['ending']} by those of the ending (at
        most six pieces of both sides, kings and pawns not counted). By phase, the knight on the board at 3:""") + \
        f"\n![What one more piece is worth, by phase]({drawn})\n"


def corner(placements, side):
    """In per cent, how many kings were placed on a or h."""
    files = placements[side]["K"]
    return 100 * (files[0] + files[7]) / sum(files)


def openings(answers):
    main, second, deep = answers["main"]["sets"][0], answers["second"]["sets"][0], answers["nodes"]["sets"][1]
    king, placing, bishops = main["king_first"], main["placing"], main["bishops"]
    lines = table(("first moves", "games of the first", "White's points of these", "games of the line"), [
        (" ".join(line["moves"]), f"{100 * line['first_games'] / main['games']:.1f} %",
         next((text(move["points_white"]) for move in main["first_moves"]
               if move["move"] == line["moves"][0] and move["points_white"]), ""), str(line["games"]))
        for line in main["main_lines"]])
    drawn = picture(answers, "openings.svg", pictures.boards([
        ((" ".join(line["moves"][:2]), " ".join(line["moves"][2:]), f"{line['games']} games, {line['moves'][0]}",
          f"in {100 * line['first_games'] / main['games']:.0f} %"), line["fen"]) for line in main["main_lines"][:4]]))
    compared, power = "All games of a side, or none, begin so: there is nothing to compare.", ""
    if all(king[side][when] for side in ("white", "black") for when in ("points_first", "points_later")):
        white, black = (less(king[side]["points_first"], king[side]["points_later"]) for side in ("white", "black"))
        compared = (f"White's points with the king first less those with the king later are {signed(white)}, Black's {signed(black)}"
                    f"{': no difference is seen' if holds(white, 0) and holds(black, 0) else ''}.")
        power = f" Four of five studies like this one would show a difference of {detectable(white):.2f} points."
    kings = ", ".join(f"{move['move'][2:]} {move['searched']:.2f}" for move in main["first_moves"]
                      if move["move"].startswith("K@"))
    scored = {move["move"]: move["points_white"] for move in main["first_moves"] if move["points_white"]}
    pairs = list(itertools.combinations([scored[line["moves"][0]] for line in main["main_lines"]], 2))
    apart = sum(not holds(less(a, b, 1 - 0.05 / max(len(pairs), 1)), 0) for a, b in pairs)
    turn = {side: placing[side]["queen"]["turn"] for side in ("white", "black")}
    games = kept(answers, "games", main)
    queens = f"The queen, the last piece, comes at White's turn {text(turn['white'], 1)} and Black's {text(turn['black'], 1)} (8 is the first allowed)"
    short = [("“King on the first move is unavoidable”?",
              f"{percent(placing['white']['king']['first'])} of White's games begin with it. {compared}",
              f"By deep searches of each first move {king['king']['move']} has {king['king']['searched']:.2f}, "
              f"{king['other']['move']} {king['other']['searched']:.2f}. The second network begins with the king in "
              f"{percent(second['placing']['white']['king']['first'])}, the first one at {deep['simulations']:,} nodes in "
              f"{percent(deep['placing']['white']['king']['first'])}.{power}", games),
             ("Where does the king go?",
              f"{corner(main['placements'], 'white'):.0f} % of White's kings and {corner(main['placements'], 'black'):.0f} % of "
              "Black's are placed on the files a and h.",
              f"The second network: {corner(second['placements'], 'white'):.0f} and {corner(second['placements'], 'black'):.0f} %; the "
              f"first one at {deep['simulations']:,} nodes: {corner(deep['placements'], 'white'):.0f} and "
              f"{corner(deep['placements'], 'black'):.0f} %.", games),
             ("“Strong incentive to place all pieces quickly”?",
              f"{queens}. Who had placed all sooner "
              f"scored {signed(main['placed_sooner']['excess_points'])} over the mean of its colour.",
              f"In {main['placed_sooner']['games']:,} of {main['games']:,} games one side was sooner. What was counted, not what would come of "
              "haste: who stands better may afford to wait, or to place.", games),
             ("Both bishops on one colour?",
              f"{percent(bishops['share'])} of the sides; their points less their colour's mean are {signed(bishops['excess_points'])}.",
              f"Of {bishops['sides']:,} sides that placed both.", games),
             ("“Variety of moves viable”, “never profit from memorization”?",
              f"Within 0.05 points of the best {viable(main, 0)}; within 0.1 {viable(main, 1)}.",
              f"By searches of {main['start']['deep_simulations'] // 2:,} and {main['start']['deep_simulations'] // 16:,} nodes after each move, mirror "
              "images once. In these games the "
              f"positions after 8 plies are as varied as {main['variety'][3]['effective']:.0f} equally frequent ones.", games)]
    return short, wrap(
        f"""By searches of its first move White expects with the king on {kings} (a mirror image counts as the same: a1
        stands for h1, too); with the best other move, {king['other']['move']}, {king['other']['searched']:.2f}.
        The network begins with {len(main['main_lines'])} moves of sixteen; which share of the games each has is fixed by
        its search; of the {len(pairs)} differences between their points {apart} leave out 0 (by intervals that hold together).
        The lines are examples.""") + \
        f"\n![Examples of openings]({drawn})\n\n" + lines


def viable(study, nearest):
    """How many first moves of either side are about as good as its best."""
    return " and ".join(f"{one['near_best'][nearest]['moves']} of {one['moves']} first moves of {colour}'s"
                        for colour, one in zip(("White", "Black"), study["viable"]))


def options(answers):
    """What the inventor asks of options of Chess#, by the NNUE, which learned the game without them."""
    plain, studies = answers["nodes"]["sets"][0], answers["options"]
    sprint, queen_any, under = (studies[f"chess_sharp+{option}"] for option in ("sprint", "queen_any", "underpromotion"))

    def first(study, piece="king"):
        placed = study["placing"]["white"][piece]
        return f"White's first turn in {percent(placed['first'])} of the games, on average at turn {text(placed['turn'], 1)}"

    def begins(study):
        return f"{study['variety'][2]['effective']:.0f}"

    def behind(study, together=1):
        return less(study["points_white"], plain["points_white"], 1 - 0.05 / together)

    learned = f"The NNUE learned without the option: {sprint['games']:,} games at {sprint['simulations']:,} nodes a move"
    return [("“King and X other pieces” before any moves?",
             "White's points less those of the usual rules, for X from 1: " +
             "; ".join(signed(behind(studies[rules], len(BEFORE))) for rules in BEFORE) + ".",
             f"{learned} for each X, {plain['games']:,} without. Intervals that hold together.", AGAIN),
            ("The double step “pruned opening variety”, and brings the king earlier?",
             f"With it the king is placed at {first(sprint)}, without it at {first(plain)}. Openings of four plies: as varied as "
             f"{begins(sprint)} and {begins(plain)} equally frequent ones. White's points with it less those without: {signed(behind(sprint))}.",
             f"{learned}. The variety is that of eight drawn plies, which follow its own judgement of the moves.", AGAIN),
            ("“Active queen is extremely dominant”?",
             f"If she may come at any turn, she comes at {first(queen_any, 'queen')}, else at turn "
             f"{text(plain['placing']['white']['queen']['turn'], 1)}. White's points less those of the usual rules: "
             f"{signed(behind(queen_any))}.",
             f"{learned}, so without positions in which she came early.", AGAIN),
            ("Underpromotion “4 in a thousand”?",
             f"Of {under['promotions']['count']:,} promotions {percent(under['promotions']['under'])} are to another piece, "
             "where that is allowed.", f"{learned}.", AGAIN)]


def rule_changes(answers):
    """What the inventor asks of other rules: options, and chess and its relatives by their network."""
    chess, one_square, pre = (answers["networks"][rules]["sets"][0] for rules in ("chess", "pawn_one_square", "pre_chess"))
    games, late = kept(answers, "rule_sets", chess), pre["placing"]["white"]["king"]
    shorter = less(one_square["points_white"], chess["points_white"])
    return [*options(answers),
            ("The king last in Pre-Chess?",
             f"It is placed at turn {text(late['turn'], 1)} of eight on average, last in {100 * late['turns'][7]:.0f} % of White's games.",
             f"{pre['games']} games of a small network.", games),
            ("Pawns of one square: 50.8 to 50.3 %?",
             f"White scores {text(chess['points_white'])} in chess, {text(one_square['points_white'])} with them: "
             f"{signed(shorter)}.",
             f"Four of five such studies would show a difference of {detectable(shorter):.2f} of ten; 0.05 is asked about.",
             games)], ""


def excitement(answers):
    """Ludii's measures of each rule set's games."""
    sets, course = answers["excitement"], answers["course"]
    sharp, chess = sets["chess_sharp"], sets["chess"]
    rows = [(f"`{rules}`", percent(one["decisive"]), text(one["plies"], 0), text(one["branching"], 1), text(one["lead_changes"], 1),
             text(one["drama"]), text(one["worst"], 1), percent(one["decided"]), percent(one["settled"])) for rules, one in sets.items()]
    nodes = course["simulations"]
    short = [("Is it exciting?",
              f"Chess# beside chess: won {percent(sharp['decisive'])} : {percent(chess['decisive'])}, the lead changes "
              f"{text(sharp['lead_changes'], 1)} : {text(chess['lead_changes'], 1)} times, the winner was up to {text(sharp['worst'], 1)} : "
              f"{text(chess['worst'], 1)} points behind and led for good in the last {percent(sharp['settled'])} : {percent(chess['settled'])}.",
              f"By two small networks of equal size, {sharp['games']} games each. The NNUE at {nodes:,} nodes: won "
              f"{percent(course['decisive'])}, {text(course['lead_changes'], 1)} changes, {text(course['worst'], 1)} points, the last "
              f"{percent(course['settled'])}.", kept(answers, "rule_sets", sharp) + "; " + kept(answers, "games", course)),
             ("A stalemate as an “incentive to play for the superior win”?",
              f"Of {course['lesser_ends']} games that paid one side more without a win that side had once expected "
              f"9.5 of ten or more in {percent(course['won_before'])}." if course["won_before"] else "No such game was played.",
              f"By searches of {nodes:,} nodes in {course['games']:,} games: how often a win was there, not whether it was seen.",
              kept(answers, "games", course))]
    return short, wrap(
        f"""[Measures of Ludii](studies.md#excitement), by searches of {SIMULATIONS} simulations in the games of [other rule
        sets](#other-rule-sets): fraction won, plies, legal moves a ply, lead changes, points by which the later winner was behind (mean
        of the plies, and the most), and the last part of the game in which it expected more than the other ever did, and in which it
        led for good. Two networks played them, one for each block.""") + "\n" + table(
            ("rule set", "won", "plies", "moves", "lead changes", "behind", "most", "decided", "settled"), rows)


def balance(answers):
    simple = {row["rules"]: row for row in answers["balance"]["sets"]}
    lines, apart, contrasts, above = [], [], [], [row["points_white"] for row in simple.values() if row["points_white"]["mean"] > 5]
    together = 1 - 0.05 / sum(len(sets) - 1 for sets in BLOCKS.values())  # so that all contrasts hold together
    for name, sets in BLOCKS.items():
        measure = answers["networks"][sets[0]]["sets"][0]
        for rules in sets:
            row = answers["networks"][rules]["sets"][0]
            contrast = less(row["points_white"], measure["points_white"], together)
            if rules != sets[0]:
                contrasts.append(contrast)
                apart += [] if holds(contrast, 0) else [f"`{rules}` {signed(contrast)}"]
            wins = share(row, (6,)) - share(row, (0,))
            lines.append((f"`{rules}`", text(simple[rules]["points_white"]), text(row["points_white"]),
                          "" if rules == sets[0] else signed(contrast), f"{wins:+.1f}",
                          f"{100 - share(row, (0, 6)):.1f}", f"{answers['strength'][rules]['points']['mean']:.1f}"))
    lines += [(f"`{rules}`", text(simple[rules]["points_white"]), "", "", "", "", "") for rules in OTHER_SETS]
    chess = answers["networks"]["chess"]["sets"][0]
    games = chess["games"]
    off = [row for row in (answers["networks"][rules]["sets"][0] for rules in answers["networks"]) if not holds(row["points_white"], 5)]
    sharp = answers["main"]["sets"][0]["points_white"]
    short = [("How evenly do other rule sets start?",
              (f"By small networks {len(off)} of {len(answers['networks'])} sets leave out 5: "
               + ", ".join(f"`{row['rules']}` {text(row['points_white'])}" for row in off) + "; chance alone makes "
               f"{0.05 * len(answers['networks']):.1f} likely." if off else
               f"None of {len(answers['networks'])} sets is told from even by a small network.") +
              f" Of {len(contrasts)} differences to the first of a block {len(apart)} "
              f"{'leaves' if len(apart) == 1 else 'leave'} out 0{': ' if apart else ''}{', '.join(apart)}.",
              f"{games} games a set: four of five studies like this one would show a difference of "
              f"{max(detectable(one, together) for one in contrasts):.1f} of ten between two sets, and a set's mean that is "
              f"{detectable(chess['points_white']):.1f} away from 5. Chess has {text(chess['points_white'])}: White's advantage "
              f"there, known from master play, {'is seen' if chess['points_white']['low'] > 5 else 'is not seen'}. Chess# itself "
              f"has {text(sharp)} from the NNUE.", kept(answers, "rule_sets", chess))]
    return short, wrap(
        f"""Two [networks](../networks/README.md#rule_sets) that learned from 28 million evaluations, one for Chess# with its options and one for the chess family, play
        themselves: {games} games of each set, {SIMULATIONS} simulations a move, the first eight plies drawn by the searches'
        visits, under the set's own table (so points of different tables are not one unit; the wins are). Beside them
        `alphabeta:2`, which looks two plies ahead: {simple['chess']['games']:,} games from four random plies, of which the
        most uneven are left out, played at revision {answers['balance']['revision']}; {len(above)} of its {len(simple)} means lie
        above 5, {sum(one['low'] > 5 for one in above)} by an interval that leaves it out. *Less the first*: the difference to the block's first row, with intervals that hold
        together for all {len(contrasts)}; rows of different blocks differ in the network, too, and one network of each was
        trained. *Against it*: the network's points against `alphabeta:2`, {answers['strength']['chess']['games']} games. [What
        each set is](rules.md#the-games).""") + "\n" + table(
            ("rule set", "`alphabeta:2`", "network", "less the first", "White's wins less Black's, %", "other ends, %",
             "against it"), lines)


def luck(answers):
    rows = answers["luck"]["encounters"]
    cards = {row["rules"]: row["pair_correlation"] for row in answers["balance"]["sets"]}
    others = [cards[rules] for rules in SETS if rules != "raindrop"]
    out, means = sum(not holds(one, 0) for one in others), [one["mean"] for one in others]

    lines = table(("rule set", "stronger", "weaker", "Elo between them", "weaker wins, %"), [
        (row["rules"], row["stronger"], row["weaker"],
         text(row["elo"], 0) if row["elo"]["high"] < 2000 else f"more than {row['elo']['low']:.0f}", text({
             key: 100 * row["weaker_wins"][key] for key in ("mean", "low", "high")}, 1))
        for row in rows if row["stronger"] != "random" and row["weaker"] != "random"])
    short = [("How much luck is in Raindrop?",
              f"Between equal players cards and opening decide {percent(cards['raindrop'])} of the scatter of the results. In "
              f"the {len(others)} sets without cards openings decide {100 * min(means):.0f} to {100 * max(means):.0f} %.",
              f"By two games each of {answers['balance']['sets'][0]['games'] // 2} deals (`alphabeta:2`). Of the {len(others)} "
              f"intervals without cards {out} leave out 0, where chance alone makes {0.05 * len(others):.1f} likely.",
              AGAIN)]
    return short, wrap(
        f"""Both games of a pair have the same opening and, in Raindrop, the same order of the cards: the correlation of
        White's points in the two is the share of the scatter that these decide. Another way to see luck is how often the
        weaker of two players wins ({rows[0]['games']:,} games a row; revision {answers['luck']['revision']}), which measures
        it only at the same distance, and luck itself lowers the Elo.""") + "\n" + lines


# Each question with the studies that it is answered from, beside the main one.
QUESTIONS = {
    "The first move": (first_move, ("depths",)),
    "Best play": (best_play, ("book",)),
    "The scoring values": (scoring, ("nodes", "second", "repriced", "deep", "scoring")),
    "Fair values": (fair, ("repriced", "deep", "scoring")),
    "The pieces": (pieces, ("handicaps",)),
    "The opening": (openings, ("nodes", "second")),
    "Changed rules": (rule_changes, ("nodes", "options", "networks")),
    "Excitement": (excitement, ("networks", "excitement", "course")),
    "Other rule sets": (balance, ("networks", "balance")),
    "Luck": (luck, ("balance", "luck")),
}


def rated_levels():
    """docs/experiments/levels.md: Elo by nodes a move of the levels that always play the best move, and that of
    Fairy-Stockfish at 10 ms a move."""
    text = LEVELS.read_text()
    levels = {int(nodes.replace(",", "")): int(elo)
              for nodes, elo in re.findall(r"^\| level \d \| ([\d,]+), 0 \| (\d+) \|", text, re.M)}
    return levels, int(re.search(r"^\| Fairy-Stockfish, 10 ms a move \| +\| (\d+) \|", text, re.M)[1])


def elo_at(nodes, levels):
    """By the line through the two nearest levels, in Elo over the logarithm of the nodes; with the nodes of both."""
    near = sorted(sorted(levels, key=lambda level: abs(math.log(level / nodes)))[:2])
    slope = (levels[near[1]] - levels[near[0]]) / math.log(near[1] / near[0])
    return levels[near[0]] + slope * math.log(nodes / near[0]), near


def shown(net):
    """As a reader names it."""
    return net.replace(f"{common.ROOT}/", "")


def strength(asked, answers):
    """How strong the player of the games is, where its levels are rated."""
    if shown(asked.net[0]) not in LEVELS.read_text():
        return "How strong it is so was not measured."
    levels, fairy = rated_levels()
    nodes = nodes_of(answers)
    elo, near = elo_at(nodes, levels)
    drawn = re.search(rf"^\| (level \d) \| {nodes:,}, ([\d.]*[1-9][\d.]*) \| (\d+) \|", LEVELS.read_text(), re.M)
    how = "interpolated" if near[0] <= nodes <= near[1] else "extrapolated"
    return (f"So it plays at about {elo:.0f} Elo, random moves being 0 and Fairy-Stockfish at 10 ms a move {fairy:,}: "
            f"{how} from its [levels](experiments/{LEVELS.name}) of {near[0]:,} and {near[1]:,} nodes, not measured" +
            (f"; {drawn[1]}, of as many nodes but drawing its moves at temperature {drawn[2]}, has {drawn[3]}." if drawn else "."))


def write(asked, answers, revision):
    """The page, and beside its games what it leaves out."""
    answered = [(head, *QUESTIONS[head][0](answers)) for head in asked.question]
    folder = asked.page.name
    pictures_shown = [f"\n![{alt}]({address})\n" for _, _, details in answered
                      for alt, address in re.findall(r"!\[(.*)\]\((.*)\)", details)]
    page = [
        "# Findings\n", wrap(
            f"""What the program says of Chess#, from games of its NNUE (`{shown(asked.net[0])}`)
            against itself, {nodes_of(answers):,} nodes (positions searched) a move where nothing else is said.
            {strength(asked, answers)} {f"Further networks: {', '.join(f'`{shown(net)}`' for net in asked.net[1:])}." if asked.net[1:] else ""} Points are White's
            of ten; in brackets 95 % intervals, which
            say how certain a figure is for these players, not for perfect play. Words in quotes are the inventor's, from the rule sheet
            and its questions and answers. [Words](glossary.md), [how it is
            computed](studies.md), [more of each answer]({folder}/details.md). Written by `scripts/findings.py` at revision {revision} with [these
            commands]({folder}/commands.sh), which play or read the games again."""),
        "\n" + table(("question", "answer", "how sure", "games"), [row for _, short, _ in answered for row in short]),
        "\n## Pictures\n", *pictures_shown]
    (asked.page.parent / f"{folder}.md").write_text("".join(page))
    details = "".join(f"\n## {head}\n\n{text}" for head, _, text in answered if text)
    inside = re.sub(r"\]\((?!http|#)", "](../", details)  # links as from one folder further in
    (asked.page / "details.md").write_text(
        f"# Findings, in detail\n\nTo the [answers](../{folder}.md); [how they are computed](../studies.md).\n" + inside)
