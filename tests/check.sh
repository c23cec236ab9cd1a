#!/usr/bin/env bash
# The quick subset of the tests: format, vet, staticcheck, the other systems,
# and all Go tests with the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '== %s\n' "$*"; }

step gofmt
unformatted=$(gofmt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "not formatted: $unformatted"; exit 1; }

step vet
go vet ./...
for os in windows darwin; do
  step "vet $os"
  GOOS=$os go vet ./rpc/... ./agent ./agent/model ./agent/store ./tools/... ./editstate/... ./cmd/agentd/demo
done

step staticcheck
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

step test
go test -race ./...
