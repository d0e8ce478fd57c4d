#!/usr/bin/env python3
"""What each part of the search is worth: paired games of one network against itself, one option changed, the same
number of network evaluations a move. Prints a table in Markdown.

  scripts/ablations.py [--net C] [--games N] [--evals N] [--seed N] [ROW…]
"""
import common

# name: (evaluations a move or None for the default, A's settings, B's settings[, further words])
ROWS = {
    **{f"Gumbel against PUCT, both exploring, {evals}": (evals, "gumbel=true,explore=true", "explore=true")
       for evals in (16, 32, 64, 128)},
    "solver against none": (None, "", "solver=false"),
    "scan of visited nodes against none": (None, "", "scan_visits=0"),
    "tree reuse against none": (None, "", "reuse_tree=false"),
    "cache against none": (None, "", "cache_mib=0"),
    "forced playouts against none (no noise)": (None, "explore=true,noise_fraction=0",
                                                "explore=true,noise_fraction=0,forced_playouts=0"),
    "c_puct 0.4 against 0.8": (None, "c_puct=0.4", "c_puct=0.8"),
    "c_puct 1.2 against 0.8": (None, "c_puct=1.2", "c_puct=0.8"),
    **{f"lookahead {plies} against {plies - 1 or 'none'}": (None, f"lookahead={plies}", f"lookahead={plies - 1}")
       for plies in (1, 2, 3, 4)},
}
# The network that knows the table against itself believing the standard one.
for pays in common.IMPASSES:
    ROWS[f"told that impasses pay {pays} against not told, from late positions"] = (
        None, "", "table=default", "--openings", common.LATE, "--table", common.impasse_table(pays))


def player(net, evals, settings):
    # Four visits for an evaluation is more than reuse, cache and exact leaves together yield; Gumbel plans its visits.
    sims = evals if "gumbel=true" in settings else 4 * evals
    own = "," if "=" in net else ":"  # the network may come with settings of its own
    return net + own + ",".join(filter(None, [f"sims={sims},evals={evals}", settings]))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--net", help="a network as `match` takes it (default: the one that comes along)")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--evals", type=int, default=64, help="a move, in rows that do not say (default 64)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="only rows with this text in their name")
    asked = parser.parse_args()
    net = asked.net or str(max((common.ROOT / "networks").glob("*.safetensors")))

    def play(_, row):
        evals, a, b, *more = row
        evals = evals or asked.evals
        result = common.run_json(
            asked.program, "match", "--a", player(net, evals, a), "--b", player(net, evals, b), "--games", asked.games,
            "--seed", asked.seed, *more)
        return result, [f"{result['evaluations_per_move_a']:.1f} : {result['evaluations_per_move_b']:.1f}",
                        common.interval(result["elo"], "{:+.0f}"), common.interval(result["points"]), result["games"]]

    common.play_rows(asked, ROWS, ["A against B", "evaluations a move", "Elo of A (95 %)", "points of ten", "games",
                                   "minutes"], play)


if __name__ == "__main__":
    main()
