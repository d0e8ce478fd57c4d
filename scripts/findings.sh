#!/bin/sh
# findings.sh [NET [GAMES]]: runs every study and writes docs/findings.md from what they print.
# NET: a run folder (its checkpoints are compared too), a checkpoint or a file; by default the network
# that comes with the program. What was played before is not played again.
# SIMS ("32,128,512"), SCORING_SIMS (128), SWEEP (2:7:6, of impasse_equal), SEED (1), BALANCE_PLAYER (alphabeta:2) and
# BALANCE_GAMES (400) come from the environment.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
net=${1:-} games=${2:-1000}
sims=${SIMS:-32,128,512} scoring_sims=${SCORING_SIMS:-128} seed=${SEED:-1}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# study NAME ARGUMENT...: the command goes into NAME.command, what it prints into NAME.
study() {
  name=$1
  shift
  printf './sharpzero %s\n' "$*" >"$out/$name.command"
  "$root/sharpzero" "$@" >"$out/$name"
}

# What is printed ends with questions, their answers indented below them, and the report's path.
answers() { awk -v RS= 'END { print }' "$1" | sed -e '/^report /d' -e 's/^\([^ ]\)/\n## \1/' -e 's/^  /\n/' | fold -s -w 110 | sed 's/ *$//'; }
tables() { awk -v RS= -v ORS='\n\n' '{ if (NR > 1) print last; last = $0 }' "$1"; }

checkpoints=
[ -n "$net" ] && [ -d "$net/checkpoints" ] && checkpoints='--checkpoints 6'
# shellcheck disable=SC2086 # two words or none
study advantage advantage --games "$games" --sims "$sims" --seed "$seed" $checkpoints ${net:+--net "$net"}
study scoring scoring --games "$games" --sims "$scoring_sims" --seed "$seed" --play \
  --table impasse_equal=4.9 --table stalemate=2.2 --table bishop=3.25 --fair impasse_equal \
  --sweep "impasse_equal=${SWEEP:-2:7:6}" ${net:+--net "$net"}

# Of all rule sets, by a player that knows them all.
sets=chess,no_castling,pawn_one_square,stalemate_win,chess960,chess480,pre_chess,chess_plus,raindrop,chess_sharp
sets=$sets,chess_sharp+sprint,chess_sharp+before=3,chess_sharp+before=7,chess_sharp+bishops_opposite
study balance advantage --rules "$sets" --player "${BALANCE_PLAYER:-alphabeta:2}" --games "${BALANCE_GAMES:-400}" \
  --opening-plies 4 --seed "$seed"
study luck luck --games "${BALANCE_GAMES:-400}" --seed "$seed"

{
  printf '# Findings\n\nFrom games of one network against itself, written by `scripts/findings.sh` at revision %s.\n' \
    "$(git -C "$root" describe --always --dirty)"
  printf 'Points are of ten; in brackets, 95 %% intervals. [studies.md](studies.md) says how they are computed.\n\n'
  cat <<'END'
*How to read the prices.* "The same games" are those played under the default table, paid otherwise; "new
games" were played under the other table, where play may differ. A value is called fair where White expects 5
of ten.

*What would narrow the intervals.* They shrink with the square root of the number of games: four times as many
halve them. They say how certain the figures are for this network; the answers of a weak network may not be
the game's, and only stronger networks and more simulations bring the two together (`--sims`, and
`--checkpoints` with a run, show how the figures move).

END
  printf '```\n%s\n%s\n```\n' "$(cat "$out/advantage.command")" "$(cat "$out/scoring.command")"
  answers "$out/advantage"
  answers "$out/scoring"
  printf '\n## How evenly do the rule sets start?\n\n'
  printf 'A player against itself, each set under its own table; its first four plies are drawn\n'
  printf '([studies.md](studies.md#balance-of-rule-sets)).\n\n'
  printf '```\n%s\n\n%s\n```\n' "$(cat "$out/balance.command")" "$(sed '/^report /d' "$out/balance")"
  printf '\n## How much luck is in Raindrop?\n\n'
  printf 'Each player plays the next ([studies.md](studies.md#luck)).\n\n'
  printf '```\n%s\n\n%s\n```\n' "$(cat "$out/luck.command")" "$(cat "$out/luck")"
  printf '\n## All figures\n\n```\n%s\n\n%s\n```\n' "$(tables "$out/advantage")" "$(tables "$out/scoring")"
} >"$out/findings.md"
mv "$out/findings.md" "$root/docs/findings.md"
printf '%s\n' "$root/docs/findings.md"
