# The commands of daily work. `make test` needs Go, Node 20, npm and git; it
# installs the rest by itself.

GO      ?= go
BIN     := bin/agentd
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)

.PHONY: build demo test check interop generate stale fuzz bench install clean

build: ## build bin/agentd
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/agentd

demo: build ## the main job in the terminal, no key needed
	./$(BIN) demo

test: check stale interop ## everything

check: ## what a change needs before it is committed
	@./tests/check.sh

interop: build ## clients that others wrote
	cd tests/interop && npm ci --no-audit --no-fund --loglevel=error
	cd tests/interop && AGENTD=$(CURDIR)/$(BIN) node --test

generate: build ## what is made from the Go types
	cd extension && npm ci --no-audit --no-fund --loglevel=error && npm run --silent protocol

stale: build ## fails if make generate would change something
	cd extension && npm ci --no-audit --no-fund --loglevel=error && npm run --silent protocol -- --check

FUZZTIME ?= 30s
fuzz: ## each fuzz target for FUZZTIME
	@./tests/fuzz.sh $(FUZZTIME)

bench: ## the figures in tests/bench/README.md
	$(GO) test -run '^$$' -bench . ./tools ./editstate ./agent/model ./tests/bench

install: ## put agentd into $(go env GOPATH)/bin
	$(GO) install -trimpath -ldflags '$(LDFLAGS)' ./cmd/agentd

clean:
	rm -rf bin
