#!/usr/bin/env bash
# scripts/demo in a copy of what the repository holds, as after a clone: demo_test.sh SOURCE
# What it says it leaves must be there and be right. Time is told in processor seconds, which other work on the
# machine does not change.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'tail -n 40 "$folder/log"; echo "$passed passed, 1 failed"' ERR
passed=0
ok() { passed=$((passed + 1)); echo "ok: $1"; }

mkdir "$folder/clone"
git -C "$source" ls-files -z | tar -C "$source" --null -T - -c | tar -x -C "$folder/clone"
# Objects of other folders are as good.
export CCACHE_BASEDIR=$folder/clone CCACHE_NOHASHDIR=1
cd "$folder"
clone/scripts/demo >"$folder/log" 2>&1
ok "it ends well"

out=clone/build/demo/out
for name in tiles.png image.png tile.svg tile.fst tile.gtkw tile.report.json summary.txt; do
  [ -s "$out/$name" ] || { echo "$out/$name is not there"; false; }
  grep -qF "$name" "$folder/log" || [ "$name" = summary.txt ] || { echo "nobody is told of $name"; false; }
done
ok "pictures, waveform, save file and report are there, and it says so"

/usr/bin/python3 - "$out/tile.report.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["passed"] and report["compared"] > 2 * 226304, report["failures"]
for channel in report["channels"]:
    assert channel["bytes"] == 226304 and channel["bursts"] == channel["bursts_least"], channel
    assert channel["utilisation"] > 0.98 * channel["limit"], channel
PYTHON
ok "every byte was checked, at the limit, with the fewest bursts"

head -n 1 "$out/summary.txt" | grep -q "^examples/demo/tile.json: "
grep -q "no difference" "$out/summary.txt"
ok "the summary is kept"

status=0
clone/scripts/demo one two 2>"$folder/wrong" || status=$?
[ $status -eq 2 ] && grep -q "legal is" "$folder/wrong"
ok "wrong arguments are a sentence"

times >"$folder/times"  # in this shell: a subshell has other children
seconds=$(tail -n 1 "$folder/times" | awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/); print int(60 * (u[1] + s[1]) + u[2] + s[2]) }')
echo "processor seconds: $seconds"
[ "$seconds" -gt 0 ] && [ "$seconds" -le 180 ]
ok "at most three minutes of processors"
echo "$passed passed, 0 failed"
