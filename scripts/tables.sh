#!/bin/sh
# tables.sh [NET[:OPTIONS]] [GAMES] [SIMS]: does a network play to its scoring table? For each of four tables, which change what impasses
# pay, GAMES paired games (500) between NET that is told the table and NET that takes it for the standard one; a line of
# Markdown each. Both are the same network (by default the one that comes along), so 5 of 10 means that the table makes no difference.
set -eu
cd "$(dirname "$0")/.."
net=${1:-$(ls networks/*.safetensors)}
case $net in *:*) told=$net, ;; *) told=$net: ;; esac
games=${2:-500} sims=${3:-64}
echo '| impasses pay White: Black more, equal, White more | told against not told | games |'
echo '|---|---|---|'
for pays in '5.5 6.5 7.5' '2.5 3 3.5' '2.2 5 7.8' '4.8 5 5.2'; do
  # shellcheck disable=SC2086 # three numbers
  set -- $pays
  ./sharpzero match --a "$net" --b "${told}table=default" --games "$games" --sims "$sims" --seed 3 --json \
    --table "impasse_black_more=$1,impasse_equal=$2,impasse_white_more=$3" |
    python3 -c '
import json, sys
match = json.load(sys.stdin)
points = match["points"]
print("| %s | %.2f [%.2f, %.2f] | %d |" % (sys.argv[1], points["mean"], points["low"], points["high"], match["games"]))' \
      "$1, $2, $3"
done
