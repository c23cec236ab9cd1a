#!/usr/bin/env bash
# Runs the tests in a real VS Code, two files at a time. A browser and an editor on
# a busy machine can be slower than any patience: a file that fails is run once
# more, by itself, and only a second failure counts. What failed first is printed,
# and its picture is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/vscode.sh > /dev/null
node scripts/build.mjs --tests

files=(changes editor double first install)
paths=()
for f in "${files[@]}"; do paths+=("dist/test/e2e/$f.test.js"); done
if ! node --test --test-concurrency=2 "${paths[@]}"; then
  echo "== something failed: each file once more, by itself" >&2
  for p in "${paths[@]}"; do node --test "$p"; done
fi
node --test dist/test/e2e/page.test.js || { echo "== once more" >&2; node --test dist/test/e2e/page.test.js; }
