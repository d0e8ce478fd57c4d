"""docs/findings.md and its pictures, from what scripts/findings.py asked."""
import textwrap

import common
import pictures

PAGE = common.ROOT / "docs" / "findings"
NODES = 1000  # a move of most games
SETS = ("chess", "no_castling", "pawn_one_square", "stalemate_win", "chess960", "chess480", "pre_chess", "chess_plus",
        "raindrop", "chess_sharp", "chess_sharp+sprint", "chess_sharp+before=3", "chess_sharp+before=7",
        "chess_sharp+bishops_opposite")
PIECES = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
OUTCOMES = ("Black wins", "White stalemated", "impasse, Black more", "impasse, equal", "impasse, White more",
            "Black stalemated", "White wins")
HAND_SET = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9}


def text(estimate, digits=2):
    return common.interval(estimate, f"{{:.{digits}f}}")


def percent(estimate):
    return "{:.1f} [{:.1f}, {:.1f}] %".format(*(100 * estimate[key] for key in ("mean", "low", "high")))


def holds(estimate, value):
    return estimate["low"] <= value <= estimate["high"]


def wrap(paragraph):
    return textwrap.fill(" ".join(paragraph.split()), 110, break_long_words=False, break_on_hyphens=False) + "\n"


def table(head, rows):
    return "\n".join(["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]) + "\n"


def learned(row):
    """A checkpoint's name in a row."""
    return f"generation {row['generation']}"


def first_move(answers):
    main, second = answers["main"]["sets"][0], answers["second"]["sets"][0]
    nodes, training = answers["nodes"]["sets"], answers["training"]["sets"]
    points, other = main["points_white"], second["points_white"]
    rows = [("nodes a move", [])]
    rows += [(f"{row['simulations']:,}", [row["points_white"]]) for row in (nodes[0], main, nodes[1])]
    rows += [(f"training (second seed, {NODES:,} nodes)", [])]
    rows += [(learned(row), [row["points_white"]]) for row in training]
    (PAGE / "first_move.svg").write_text(pictures.whiskers(rows, 2, 8, 5))
    wider = min(points["low"], other["low"]), max(points["high"], other["high"])
    differ = points["low"] > other["high"] or other["low"] > points["high"]
    sure = (f"The network of another seed says {text(other)}, outside this interval: the training was measured, not "
            f"the game; all that can be said is {wider[0]:.2f} to {wider[1]:.2f}." if differ else
            f"The network of another seed says {text(other)}; the two agree within their intervals.")
    even = "no advantage is seen" if holds(points, 5) else (
        "White is ahead" if points["mean"] > 5 else "Black is ahead")
    start = main["start"]
    return (f"White scores **{text(points)}** of ten: {even}.", sure), wrap(
        f"""{main['games']:,} games ({main['distinct_games']:,} of them different). The network itself expects
        {start['network']:.2f} at the start, its search of {start['deep_simulations']:,} nodes {start['deep_search']:.2f}.
        {sure} With less and with more thought, and by networks that learned for less time:""") + \
        "\n![White's points by nodes and by training](findings/first_move.svg)\n"


def tables(answers):
    rows = answers["scoring"]["tables"]
    sweeps = {sweep["key"]: sweep["points"] for sweep in answers["sweep"]["sweeps"]}
    lines = []
    for key, points in sweeps.items():
        lines.append((f"{key} =", []))
        lines += [(f"{point['value']:g}", [point["repriced"]]) for point in points]
    (PAGE / "sweep.svg").write_text(pictures.whiskers(lines, 4.5, 5.5, 5, 0.25))
    shares = [("default", answers["main"]["sets"][0])] + [
        (f"{row['simulations']:,} nodes", row) for row in answers["nodes"]["sets"]] + [
        ("second seed", answers["second"]["sets"][0])] + [
        (learned(row), row) for row in answers["training"]["sets"][:-1:2]]
    (PAGE / "outcomes.svg").write_text(pictures.bars(
        [(name, [one["share"]["mean"] for one in row["outcomes"]]) for name, row in shares], OUTCOMES))
    figures = table(("table", "network", "search", "same games", "difference", "new games", "difference to their twins"), [
        (row["table"], f"{row['network']:.2f}", f"{row['search']:.2f}", text(row["repriced"]), text(row["difference"], 3),
         text(row["played"]) if row["played"] else "", text(row["played_difference"]) if row["played_difference"] else "")
        for row in rows])
    most = max((abs(row["difference"]["mean"]) for row in rows[1:]))
    told = all(holds(row["played_difference"], 0) for row in rows[1:])
    short = (f"They move White's mean by at most {most:.3f} of ten in the same games" +
             (", and new games under them show no difference." if told else "; new games differ, see below."))
    impasses = sum(one["share"]["mean"] for one in answers["main"]["sets"][0]["outcomes"][2:5])
    stalemates = sum(answers["main"]["sets"][0]["outcomes"][i]["share"]["mean"] for i in (1, 5))
    sure = (f"Only {100 * impasses:.1f} % of the games end in an impasse and {100 * stalemates:.1f} % in a stalemate, so "
            "prices of these can hardly matter between players of this strength.")
    return (short, sure), wrap(
        f"""*Same games*: the {answers['scoring']['games']:,} games under the default table, paid otherwise. *New games*
        were played under the other table, each from the opening of its twin. {sure} How games end:""") + \
        "\n![How games end](findings/outcomes.svg)\n\n" + figures + "\n" + wrap(
            "White's points of the same games over the whole range of two prices:") + \
        "\n![White's points by the price of an equal impasse and of a stalemate](findings/sweep.svg)\n"


def fair(answers):
    lines, found = [], []
    for row in answers["scoring"]["fair"]:
        words = f"- `{row['key']}`: "
        if row["confirmed"]:
            last = row["rounds"][-1]
            words += (f"at {last['value']:.2f}, where games under it paid White {text(last['points_white'])}, an interval "
                      "that holds 5.")
            found.append(f"{row['key']} = {last['value']:.2f}")
        else:
            words += "none was found."
        repriced = f"pay 5 at {text(row['repriced'])}" if row["repriced"] else "pay 5 at no value"
        lines.append(f"{words} The same games {repriced}; over the whole range they pay "
                     f"{' to '.join(text(end) for end in row['at_ends'])}.")
    anywhere = all(holds(end, 5) for row in answers["scoring"]["fair"] for end in row["at_ends"])
    short = ("None needs to be changed" if holds(answers["main"]["sets"][0]["points_white"], 5) else
             "The default prices are not even") + (f"; {', '.join(found)} was confirmed, too." if found else ".")
    sure = ("Over the whole range of each price the interval of the same games holds 5: they cannot tell one price from "
            "another." if anywhere else "See the intervals below.")
    return (short, sure), "".join(textwrap.fill(line, 110, subsequent_indent="  ") + "\n" for line in lines)


def pieces(answers):
    main = answers["main"]["sets"][0]
    phases = main["piece_values_by_phase"]
    value = {row["name"]: row["points"] for row in main["piece_values"]}
    rows = [("points of ten: placing, middle, ending", [])]
    rows += [(row["name"], [phases[phase][i]["points"] for phase in ("placing", "middle", "ending")])
             for i, row in enumerate(main["piece_values"])]
    (PAGE / "pieces.svg").write_text(pictures.whiskers(rows, -1, 5, 0))
    base = main["points_white"]["mean"]
    lines, inside = [], 0
    for piece in PIECES:
        cells = [piece, f"{HAND_SET[piece]}", text(value[piece]), f"{value[piece]['mean'] / value['pawn']['mean']:.1f}"]
        cells.append(text(value[f"{piece} in reserve"]) if f"{piece} in reserve" in value else "")
        for white in (True, False):
            score = answers["handicaps"][piece, white]["sets"][0]["points_white"]
            own = value[f"{piece} in reserve" if f"{piece} in reserve" in value else piece]["mean"]
            expected = min(max(base - own if white else base + own, 0), 10)
            inside += holds(score, expected)
            cells.append(f"{expected:.2f}: {text(score)}")
        lines.append(cells)
    ratio = ", ".join(f"{piece} {value[piece]['mean'] / value['pawn']['mean']:.1f}" for piece in list(PIECES)[:4])
    short = f"In pawns: {ratio} (by hand 9, 5, 3, 3)."
    sure = (f"Of {2 * len(PIECES)} handicaps at the start the regression foretells {inside} within their intervals: to be "
            "a piece down from the start costs more, probably because who is down in mid-game often has something for it.")
    return (short, sure), wrap(
        f"""By regression of a game's points on the pieces of its positions; a piece's worth depends on the phase (placing:
        somebody has a reserve; ending: six pieces or less). {sure}""") + \
        "\n![Points of ten that one more piece is worth, by phase](findings/pieces.svg)\n\n" + table(
            ("piece", "by hand", "points of ten", "in pawns", "in reserve", "White without it, foretold: scored",
             "Black without it"), lines)


def openings(answers):
    main = answers["main"]["sets"][0]
    king, placing, bishops = main["king_first"], main["placing"], main["bishops"]
    lines = table(("main line", "games of its first move", "White's points of these", "games of the line"), [
        (" ".join(line["moves"]), f"{100 * line['first_games'] / main['games']:.1f} %",
         next((text(move["points_white"]) for move in main["first_moves"]
               if move["move"] == line["moves"][0] and move["points_white"]), ""), str(line["games"]))
        for line in main["main_lines"]])
    (PAGE / "openings.svg").write_text(pictures.boards([
        ((" ".join(line["moves"][:2]), " ".join(line["moves"][2:]), f"{100 * line['first_games'] / main['games']:.1f} %"),
         line["fen"]) for line in main["main_lines"][:4]]))
    variety = {row["plies"]: row for row in main["variety"]}
    white, black = king["white"], king["black"]
    differ = [name for name, side in (("White", white), ("Black", black))
              if side["points_first"] and not (side["points_first"]["low"] <= side["points_later"]["high"]
                                               and side["points_later"]["low"] <= side["points_first"]["high"])]
    turn = {side: placing[side]["queen"]["turn"] for side in ("white", "black")}
    short = (f"The king may come first or later ({', '.join(differ)} scored differently)." if differ else
             "The king may come first or later: sides scored alike.") + \
        f" The queen comes at turn {turn['white']['mean']:.0f} or so."
    sure = "Both are habits of this network, whose first moves are five of sixteen." if len(main["main_lines"]) == 5 else \
        f"These are habits of this network, which begins with {len(main['main_lines'])} moves of sixteen."
    return (short, sure), wrap(
        f"""White placed its king at its first turn in {percent(placing['white']['king']['first'])} of the games, Black in
        {percent(placing['black']['king']['first'])}. White scored {text(white['points_first'])} with the king first,
        {text(white['points_later'])} with it later; Black {text(black['points_first'])} and {text(black['points_later'])}.
        By searches of each first move the best with the king is {king['king']['move']} ({king['king']['searched']:.2f}), the
        best other {king['other']['move']} ({king['other']['searched']:.2f}). White's queen comes at turn
        {text(turn['white'], 1)}, Black's at {text(turn['black'], 1)}. Both bishops stand on one colour in
        {percent(bishops['share'])} of the sides, which score {text(bishops['excess_points'])} more than their colour's mean.
        After 1, 2, 4, 8 plies there are {', '.join(f"{variety[plies]['different']:,}" for plies in (1, 2, 4, 8))} different
        positions, as varied as {', '.join(f"{variety[plies]['effective']:,.0f}" for plies in (1, 2, 4, 8))} equally likely
        ones (the first {main['opening_plies']} plies are drawn).""") + \
        "\n![The main lines](findings/openings.svg)\n\n" + lines


def balance(answers):
    rows = answers["balance"]["sets"]
    out = [row for row in rows if not holds(row["points_white"], 5)]
    names = ", ".join(f"`{row['rules']}` {text(row['points_white'])}" for row in out)
    short = f"Of {len(rows)} sets {len(out)} leave out an even start: {names}." if out else \
        f"None of {len(rows)} sets leaves out an even start."
    sure = "By a player that looks two plies ahead, so it says little of strong play; one interval in twenty is wrong by chance."
    ordered = [(row["rules"], [row["points_white"]]) for name in SETS for row in rows if row["rules"] == name]
    (PAGE / "balance.svg").write_text(pictures.whiskers(ordered, 4, 6, 5, 0.5))
    return (short, sure), wrap(
        f"""`alphabeta:2` against itself, {rows[0]['games']:,} games of each set under its own table, the first four plies
        drawn at random and openings that are far from even left out. {sure} The NNUE plays Chess# alone.""") + \
        "\n![White's points by rule set](findings/balance.svg)\n"


def luck(answers):
    rows = answers["luck"]["encounters"]
    lines = table(("rule set", "stronger", "weaker", "Elo between them", "weaker wins, %"), [
        (row["rules"], row["stronger"], row["weaker"], text(row["elo"], 0), text({
            key: 100 * row["weaker_wins"][key] for key in ("mean", "low", "high")}, 1)) for row in rows])
    cards = [row for row in rows if row["rules"] == "raindrop"]
    most = max(cards, key=lambda row: row["weaker_wins"]["mean"])
    twin = next(row for row in rows if row["rules"] == "chess" and {row["stronger"], row["weaker"]} == {
        most["stronger"], most["weaker"]})
    apart = not (most["weaker_wins"]["low"] <= twin["weaker_wins"]["high"]
                 and twin["weaker_wins"]["low"] <= most["weaker_wins"]["high"])
    short = (f"The weaker of two simple players wins at most {percent(most['weaker_wins'])} of the games; in chess the same "
             f"two have {percent(twin['weaker_wins'])}.")
    sure = "The two differ." if apart else "The two intervals meet, and the players are weak."
    return (short, sure), wrap(
        f"""Each player plays the next, {rows[0]['games']:,} games; where there are cards both games of a pair have them in the
        same order, so that luck cancels in the Elo but not in the single game.""") + "\n" + lines


QUESTIONS = (("How large is the first move's advantage?", first_move), ("What would other prices change?", tables),
             ("Which prices are fair?", fair), ("What are pieces worth?", pieces),
             ("How does a game begin?", openings), ("How evenly do other rule sets start?", balance),
             ("How much luck is in Raindrop?", luck))


def write(asked, answers, revision):
    answered = [(question, *say(answers)) for question, say in QUESTIONS]
    main = answers["main"]["sets"][0]
    page = [
        "# Findings\n", wrap(
            f"""What the program says of Chess#, from games of its NNUE (`{asked.net.replace(f"{common.ROOT}/", "")}`)
            against itself, {NODES:,} nodes a move, about as strong as Fairy-Stockfish at equal time ([nnue.md](nnue.md)).
            Written by `scripts/findings.py` at revision {revision}. Points are White's of ten, with 95 % intervals; they
            say how certain a figure is for these players, not for perfect play. [studies.md](studies.md) says how they are
            computed. The games lie in [findings/](findings/) as PGN: `scripts/findings.py --read` computes all figures from
            them again."""),
        "\n" + table(("question", "answer", "how sure"),
                     [(question, *short) for question, short, _ in answered])]
    for question, _, details in answered:
        page.append(f"\n## {question}\n\n{details}")
    page.append("\n## The commands\n\n```\n" + "\n".join(answers["commands"]) + "\n```\n")
    (PAGE.parent / "findings.md").write_text("".join(page))
