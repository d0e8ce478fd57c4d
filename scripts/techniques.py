#!/usr/bin/env python3
"""What each part of the training recipe is worth: runs that differ in one part, at equal network evaluations in
self-play, rated together. Goes on where it was stopped: runs resume, finished ones are not repeated.

    scripts/techniques.py [--evaluations 8000000] [--seeds 1,2] [--folder runs/techniques] [ROW ...]

Rows are trained one after the other, each with every seed. Then `ladder` rates all final networks of the folder with
the baselines, alphabeta:1 and Fairy-Stockfish (where it is installed), and the table is written to FOLDER/table.md:
a row's Elo is the mean over its seeds, and so is its distance from "ours"; the 95 % intervals are of the games of the
ladder alone, what one run differs from another by shows in the seeds. Each plays by the search that it learned from,
but by PUCT with the solver and, unless its row says otherwise, with two plies of lookahead (--lookahead).
"ours" is also rated as it was after a third of the evaluations, and both by the plain recipe's search, which says what
the network alone has learned. ROW trains and rates only the row of that name, or those with that text in their names;
--rate only rates what is there."""
import math
import pathlib
import shutil
import statistics
import sys

import common

# name: changes of configs/quick.toml
PLAIN = {  # AlphaZero: every move searched alike and learned from, the game's end alone as the value's target
    "search.gumbel": "false", "search.lookahead": "0", "search.solver": "false",
    "search.forced_playouts": "0", "search.reuse_tree": "true",
    "selfplay.simulations": "40", "selfplay.full_share": "1",
    "selfplay.random_opening_share": "0", "selfplay.ending_share": "0", "selfplay.official_table_share": "1", "selfplay.near_table_share": "0",
    "selfplay.temperature_plies": "24", "selfplay.temperature_late": "0.25",
    "learner.search_value_share": "0", "learner.auxiliary_weight": "0", "learner.moves_left_weight": "0",
    "run.first_plies": "10000", "learner.reuse": "3", "network.policy_attention": "0",
    "learner.window_min": "40000", "learner.window_exponent": "0.75", "learner.learning_rate": "0.002"}
ROWS = {
    "plain AlphaZero": PLAIN,
    "ours": {},
    "ours without Gumbel in self-play": {"search.gumbel": "false"},
    "ours with every move a target": {"selfplay.simulations": "32", "selfplay.full_share": "1", "learner.reuse": "2",
                                      "learner.window_min": "30000"},
    "ours without search values as targets": {"learner.search_value_share": "0"},
    "ours with the position's own search alone as target": {"learner.search_value_plies": "0",
                                                            "learner.search_value_share": "0.3"},
    "ours without auxiliary targets": {"learner.auxiliary_weight": "0", "learner.moves_left_weight": "0"},
    "ours, moves drawn by visits": {"selfplay.temperature_plies": "24", "selfplay.temperature_late": "0.25",
                                    "selfplay.random_opening_plies": "16"},
    "ours without sight": {"network.sight": "false"},
    "ours without attention in the policy": {"network.policy_attention": "0"},
    "ours without random openings": {"selfplay.random_opening_share": "0"},
    "ours under the official table alone": {"selfplay.official_table_share": "1", "selfplay.near_table_share": "0"},
    "ours without averaged weights": {"learner.average_positions": "0"},
    "ours without the solver": {"search.solver": "false"},
    "ours without conditioning blocks": {"network.condition_every": "80"},
    "ours with a larger window": {"learner.window_min": "40000", "learner.window_exponent": "0.75"},
    "ours with a slower learning rate": {"learner.learning_rate": "0.002"},
    "ours with fewer games side by side": {"selfplay.games": "64"},
    "ours without lookahead": {"search.lookahead": "0"},
    "ours without random endings": {"selfplay.ending_share": "0"},
    "ours, a quarter of the rows four plies deep": {"learner.deep_share": "0.25"},
    "ours, reuse 8": {"learner.reuse": "8"},
    "ours, reuse 2": {"learner.reuse": "2"},
}


def asked_for(asked, row):
    return not asked.rows or any(text == row or (text not in ROWS and text in row) for text in asked.rows)


def folder_name(row, seed):
    return "".join(c if c.isalnum() else "-" for c in row) + f"-{seed}"


def train(asked, row, seed):
    run = asked.folder / folder_name(row, seed)
    changes = {"run.max_minutes": "0", "run.max_evaluations": asked.evaluations, "run.generations": "1000000",
               "evaluation.final_games": "0", "run.keep_checkpoints": "2", **ROWS[row]}
    words = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    print(f"== {row}, seed {seed}", file=sys.stderr, flush=True)
    common.run(asked.program, "train", "--config", common.ROOT / "configs/quick.toml", "--run", run, "--seed", seed, *words)
    (asked.folder / (run.name + ".done")).write_text(f"{row}\n{seed}\n")


def search_of(row, lookahead):
    changes = {"search.lookahead": lookahead, **ROWS[row]}
    return ",".join(f"{key.removeprefix('search.')}={value}" for key, value in changes.items()
                    if key.startswith("search.") and key != "search.gumbel")


def early(run):
    """The newest kept checkpoint within a third of the run's evaluations, and its record."""
    records = common.metrics(run)
    for record in reversed(records):
        checkpoint = run / "checkpoints" / f"{record['generation']:06}"
        if record["evals"] <= records[-1]["evals"] / 3 and checkpoint.exists():
            return checkpoint, record
    return None


def entries(asked):
    """(label, player, record of the checkpoint that plays) of all that is rated."""
    for done in sorted(asked.folder.glob("*.done")):
        row, _ = done.read_text().splitlines()
        run = done.with_suffix("")
        final = common.metrics(run)[-1]
        yield row, f"{run}:{search_of(row, asked.lookahead)}", final
        if row != "ours":
            continue
        plain = search_of("plain AlphaZero", 0)
        yield "ours, by the plain search", f"{run}:{plain}", final
        if third := early(run):
            yield "ours, a third of it", f"{third[0]}:{search_of(row, asked.lookahead)}", third[1]
            yield "ours, a third of it, by the plain search", f"{third[0]}:{plain}", third[1]


def mean_elo(scale, players, others=()):
    """What the players' mean Elo is over the others', and the half-width of its 95 % interval."""
    weights = dict.fromkeys([*players, *others], 0.0)
    for player in players:
        weights[player] += 1 / len(players)
    for other in others:
        weights[other] -= 1 / len(others)
    mean = sum(weight * scale[player]["elo"]["mean"] for player, weight in weights.items())
    variance = sum(weight * other_weight * scale[player]["covariance"][other]
                   for player, weight in weights.items() for other, other_weight in weights.items())
    return mean, 1.959964 * math.sqrt(variance)


def shown(estimate, sign=""):
    mean, error = estimate
    return f"{mean:{sign}.0f} [{mean - error:{sign}.0f}, {mean + error:{sign}.0f}]".replace("-", "−")


def rate(asked):
    rated = [entry for entry in entries(asked) if asked_for(asked, entry[0])]
    players = [player for _, player, _ in rated] + ["alphabeta:1"]
    fairy = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if fairy:
        players += [f"uci-fairy:nodes=10:{fairy}"]
    words = [word for name in players for word in ("--player", name)]
    ratings = common.run_json(asked.program, "ladder", *words, "--games", asked.games, "--sims", asked.sims,
                              "--seed", asked.seeds[0])
    scale = {rating["player"]: rating for rating in ratings}
    rows = {}
    for row, player, record in rated:
        rows.setdefault(row, []).append((player, record))
    ours = [player for player, _ in rows.get("ours", [])]
    table = ["| recipe | Elo over `random` | over ours | seeds | evaluations | games | positions | minutes |",
             "|---|---|---|---|---|---|---|---|"]
    for row, found in sorted(rows.items(), key=lambda item: -mean_elo(scale, [player for player, _ in item[1]])[0]):
        of_row = [player for player, _ in found]
        seeds = ", ".join(f"{scale[player]['elo']['mean']:.0f}" for player in of_row)
        evals, games, positions, seconds = (statistics.mean(record[key] for _, record in found)
                                            for key in ("evals", "games", "positions", "elapsed_s"))
        table.append(f"| {row} | {shown(mean_elo(scale, of_row))} "
                     f"| {shown(mean_elo(scale, of_row, ours), '+') if ours and row != 'ours' else ''} | {seeds} "
                     f"| {evals / 1e6:.1f} M | {games:,.0f} | {positions:,.0f} | {seconds / 60:.1f} |")
    for name in dict.fromkeys(("alphabeta:2", "alphabeta:1", "greedy", players[-1])):
        if name in scale:
            table.append(f"| `{name}` | {shown(mean_elo(scale, [name]))} | | | | | | |")
    (asked.folder / "table.md").write_text("\n".join(table) + "\n")
    print("\n".join(table))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--evaluations", type=int, default=8_000_000, help="of each run, in self-play")
    parser.add_argument("--seeds", type=lambda text: [int(s) for s in text.split(",")], default=[1, 2])
    parser.add_argument("--folder", type=pathlib.Path, default=common.ROOT / "runs/techniques")
    parser.add_argument("--games", type=int, default=40, help="of each encounter of the ladder")
    parser.add_argument("--sims", type=int, default=64)
    parser.add_argument("--lookahead", type=int, default=2, help="plies, in the games of the ladder")
    parser.add_argument("--rate", action="store_true")
    parser.add_argument("rows", nargs="*", metavar="ROW")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for seed in asked.seeds if not asked.rate else []:
        for row in ROWS:
            done = asked.folder / (folder_name(row, seed) + ".done")
            if not done.exists() and asked_for(asked, row):
                train(asked, row, seed)
    rate(asked)


if __name__ == "__main__":
    main()
