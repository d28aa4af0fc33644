#!/usr/bin/env bash
# tessera.core, run by FuseSoC itself: fusesoc_test.sh SOURCE
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
passed=0 failed=0
for target in lint sim; do
  if "$source/scripts/packaging" fusesoc --cores-root "$source" run --target=$target tessera >$target.log 2>&1 &&
      { [ $target = lint ] || grep -q '^1 passed, 0 failed' $target.log; }; then
    echo "ok   fusesoc run --target=$target"
    passed=$((passed + 1))
  else
    echo "FAIL fusesoc run --target=$target"
    tail -n 20 $target.log
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
