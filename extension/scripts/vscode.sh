#!/usr/bin/env bash
# Installs what the tests in a real VS Code need and is missing: the VS Code
# server that code-server carries, Chromium with a font, and ripgrep for the
# server's file search. Prints the folder of the server. What is installed is
# kept for the next run.
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.100.3
cache="${XDG_CACHE_HOME:-$HOME/.cache}/agentd"
place="$cache/vscode-$version-node$(node -v)"
say() { printf '%s\n' "$*" >&2; }
again() { # a network that fails for a moment fails no test
  for pause in 5 20; do
    "$@" && return
    sleep "$pause"
  done
  "$@"
}

if [ ! -e "$place/stamp" ]; then
  say "installing VS Code $version for the tests into $place"
  mkdir -p "$cache"
  tmp=$(mktemp -d "$cache/new.XXXXXX")
  trap 'rm -rf "$tmp"' EXIT
  quiet=(--no-audit --no-fund --loglevel=error --ignore-scripts)
  (
    cd "$tmp"
    echo '{"private":true}' > package.json
    again npm install "code-server@$version" --save-exact "${quiet[@]}"
    cd node_modules/code-server/lib/vscode
    again npm install --omit=dev "${quiet[@]}"
    cd extensions
    again npm install --omit=dev "${quiet[@]}"
  ) >&2
  touch "$tmp/stamp"
  rm -rf "$place"
  mv "$tmp" "$place"
  trap - EXIT
fi

packages=()
[ -n "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null || packages+=(chromium fonts-dejavu-core)
command -v rg >/dev/null || packages+=(ripgrep)
if [ "${#packages[@]}" -gt 0 ]; then
  say "installing ${packages[*]} for the tests"
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o DPkg::Lock::Timeout=120 "$@"; }
  install_packages() {
    # An installation that was killed half-way keeps every later one from starting.
    $sudo dpkg --configure -a || apt --fix-broken install
    apt update && apt install --no-install-recommends "${packages[@]}"
  }
  again install_packages >&2
fi

server="$place/node_modules/code-server/lib/vscode"
mkdir -p "$server/node_modules/@vscode/ripgrep/bin"
ln -sf "$(command -v rg)" "$server/node_modules/@vscode/ripgrep/bin/rg"
log="$server/node_modules/@vscode/spdlog/index.js"
cmp -s scripts/spdlog.js "$log" || { cp scripts/spdlog.js "$log.$$" && mv "$log.$$" "$log"; }
echo "$server"
