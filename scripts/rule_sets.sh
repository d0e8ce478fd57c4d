#!/bin/sh
# rule_sets.sh [SET...]: a run of the quick preset for each rule set, which ends with matches against random play and
# its own start; then what White scores in each, by its network against itself; then a network for the options of
# Chess# and one for plain Chess#, of equally many evaluations, and a match of the two at plain Chess#. Prints Markdown.
# RUNS (a folder, default runs/rule_sets), SEED (1), EVALS (6000000), GAMES of the last match (400) and TRAIN (more
# options of `train`) come from the environment. A run that is there is not played again.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
runs=${RUNS:-runs/rule_sets} seed=${SEED:-1} games=${GAMES:-400}
options=chess_sharp,chess_sharp+sprint,chess_sharp+before=3,chess_sharp+before=7,chess_sharp+bishops_opposite
options=$options,chess_sharp+queen_any,chess_sharp+underpromotion,chess_sharp+sprint+before=7
mkdir -p "$runs"

# told NAME COMMAND...: what the command prints goes into NAME.txt, its log into NAME.log, whose end is shown where it fails.
told() {
  file=$runs/$1
  shift
  "$@" >"$file.txt" 2>>"$file.log" || {
    status=$?
    tail -3 "$file.log" >&2
    exit "$status"
  }
}

# train NAME SETS
train() {
  # shellcheck disable=SC2086 # TRAIN is several words
  told "$1" "$root/sharpzero" train --config "$root/configs/quick.toml" --run "$runs/$1" --set "rules.rule_set=$2" \
    --set "run.seed=$seed" ${TRAIN:-}
}

# points LOG OPPONENT: the last match's score and interval.
points() { sed -n "s/.*newest network against $2[^:]*: \([0-9.]*\) of 10 points \(\[[^]]*\]\).*/\1 \2/p" "$1" | tail -1; }

[ $# -gt 0 ] || set -- chess chess960 pre_chess chess_plus chess_sharp+before=7
printf '| rule set | points of ten against `random` | against its own start |\n|---|---|---|\n'
for rules; do
  train "$rules" "$rules"
  printf '| `%s` | %s | %s |\n' "$rules" "$(points "$runs/$rules.log" random)" "$(points "$runs/$rules.log" 'its start')"
done
names='' players=''
for rules; do names=$names${names:+,}$rules players="$players --player $runs/$rules"; done
# shellcheck disable=SC2086 # many words
told balance "$root/sharpzero" advantage --rules "$names" $players --sims 64 --games 200 \
  --opening-plies 4 --seed "$seed"
sed -e '1s/^/\n```\n/' -e 's/^report .*/```/' "$runs/balance.txt"
TRAIN="${TRAIN:-} --set run.max_minutes=0 --set run.max_evaluations=${EVALS:-6000000} --set evaluation.final_games=0"
train options "$options"
train plain chess_sharp
printf '\nOne network for %s against one for plain Chess#, at plain Chess#:\n' "$(echo "$options" | sed 's/,/, /g')"
told match "$root/sharpzero" match --a "$runs/options" --b "$runs/plain" --games "$games" --seed "$seed" \
  --rules chess_sharp
cat "$runs/match.txt"
