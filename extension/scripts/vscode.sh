#!/usr/bin/env bash
# Installs what the tests in a real VS Code need and is missing: the VS Code
# server that code-server carries, and Chromium with a font. Prints the folder
# of the server. What is installed is kept for the next run.
set -euo pipefail

version=4.100.3
cache="${XDG_CACHE_HOME:-$HOME/.cache}/agentd"
place="$cache/vscode-$version-node$(node -v)"
say() { printf '%s\n' "$*" >&2; }

if [ ! -e "$place/stamp" ]; then
  say "installing VS Code $version for the tests into $place"
  mkdir -p "$cache"
  tmp=$(mktemp -d "$cache/new.XXXXXX")
  trap 'rm -rf "$tmp"' EXIT
  quiet=(--no-audit --no-fund --loglevel=error --ignore-scripts)
  (
    cd "$tmp"
    echo '{"private":true}' > package.json
    npm install "code-server@$version" --save-exact "${quiet[@]}"
    cd node_modules/code-server/lib/vscode
    npm install --omit=dev "${quiet[@]}"
    cd extensions
    npm install --omit=dev "${quiet[@]}"
  ) >&2
  touch "$tmp/stamp"
  rm -rf "$place"
  mv "$tmp" "$place"
  trap - EXIT
fi

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium chromium-browser google-chrome >/dev/null; then
  say "installing Chromium for the tests"
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  { $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >&2
fi

echo "$place/node_modules/code-server/lib/vscode"
