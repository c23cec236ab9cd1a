#!/usr/bin/env bash
# Runs each fuzz target for a while: fuzz.sh [TIME].
set -euo pipefail
cd "$(dirname "$0")/.."
for file in $(git grep -l '^func Fuzz' -- '*_test.go'); do
  for name in $(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' "$file"); do
    echo "== $name in $(dirname "$file")"
    go test -run '^$' -fuzz "^$name\$" -fuzztime "${1:-30s}" -fuzzminimizetime 10x "./$(dirname "$file")"
  done
done
