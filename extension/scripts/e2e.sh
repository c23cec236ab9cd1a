#!/usr/bin/env bash
# Runs the tests in a real VS Code, two files at a time. What a failed test has
# left (a picture, what was said, logs) is in test/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
VSCODE_SERVER=$(scripts/vscode.sh)
export VSCODE_SERVER
node scripts/build.mjs --tests
rm -rf test/artifacts/failed*
node --test --test-concurrency=2 dist/test/e2e/*.test.js
