# The commands of daily work. `make test` needs Go, Node 20, npm and git; it
# installs the rest by itself.

GO      ?= go
BIN     := bin/agentd
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)

.PHONY: build demo test check interop generate stale vsix release install-extension vscode fuzz bench install clean

build: ## build bin/agentd
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/agentd

demo: build ## the main job in the terminal, no key needed
	./$(BIN) demo

test: check stale interop vscode ## everything

check: ## what a change needs before it is committed
	@./tests/check.sh

interop: build ## clients that others wrote
	cd tests/interop && npm ci --no-audit --no-fund --loglevel=error
	cd tests/interop && AGENTD=$(CURDIR)/$(BIN) node --test

generate: build ## what is made from the Go types
	cd extension && npm ci --no-audit --no-fund --loglevel=error && npm run --silent protocol

stale: build ## fails if make generate would change something
	cd extension && npm ci --no-audit --no-fund --loglevel=error && npm run --silent protocol -- --check

VSIX := bin/agentd.vsix

vsix: build extension/node_modules/.package-lock.json ## the VS Code extension with this machine's binary
	cd extension && AGENTD=$(CURDIR)/$(BIN) node scripts/vsix.mjs --out ../$(VSIX)

release: extension/node_modules/.package-lock.json ## the extension for all platforms; each compiles for minutes
	for t in linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64 win32-arm64; do \
	  (cd extension && node scripts/vsix.mjs --target $$t --out ../bin/agentd-$$t.vsix) || exit 1; done

install-extension: vsix ## put it into VS Code, VSCodium, Cursor or code-server
	node extension/scripts/install.mjs $(VSIX)

vscode: vsix ## the extension's tests, also in a real VS Code
	cd extension && npm run --silent check && npm test --silent && VSIX=$(CURDIR)/$(VSIX) npm run --silent e2e

extension/node_modules/.package-lock.json: extension/package-lock.json
	cd extension && npm ci --no-audit --no-fund --loglevel=error

FUZZTIME ?= 30s
fuzz: ## each fuzz target for FUZZTIME
	@./tests/fuzz.sh $(FUZZTIME)

bench: ## the figures in tests/bench/README.md
	$(GO) test -run '^$$' -bench . ./tools ./editstate ./agent/model ./tests/bench

install: ## put agentd into $(go env GOPATH)/bin
	$(GO) install -trimpath -ldflags '$(LDFLAGS)' ./cmd/agentd

clean:
	rm -rf bin
