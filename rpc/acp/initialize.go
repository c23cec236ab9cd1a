package acp

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/agentd-dev/agentd/rpc/wire"
)

// protocolVersion is the version of ACP that is spoken, whatever the client asks
// for; it decides whether it goes on.
const protocolVersion = 1

type initializeParams struct {
	ProtocolVersion *int            `json:"protocolVersion"`
	Capabilities    json.RawMessage `json:"clientCapabilities"`
	ClientInfo      *implementation `json:"clientInfo"`
}

// implementation names a program.
type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Title   string `json:"title,omitempty"`
}

// clientCapabilities say what the client can do.
type clientCapabilities struct {
	FS struct {
		Read  bool `json:"readTextFile"`
		Write bool `json:"writeTextFile"`
	} `json:"fs"`
	Terminal bool `json:"terminal"`
	Session  struct {
		Compaction *empty `json:"compaction"`
		Notices    *empty `json:"notices"`
	} `json:"session"`
	Auth struct {
		Terminal bool `json:"terminal"`
	} `json:"auth"`
	Elicitation struct {
		Form *empty `json:"form"`
	} `json:"elicitation"`
	Meta json.RawMessage `json:"_meta"`

	// noQuestions is set by a client that has nobody who could answer.
	noQuestions bool
}

// clientExtensions are what a client says of itself in _meta.agentd.
type clientExtensions struct {
	// AskUser false keeps ask_user from the model, e.g. where permissions are
	// answered by a program.
	AskUser *bool `json:"askUser"`
}

// files says whether the client is asked for its texts: half of it is of no use.
func (c clientCapabilities) files() bool { return c.FS.Read && c.FS.Write }

type initializeResult struct {
	ProtocolVersion   int               `json:"protocolVersion"`
	AgentInfo         implementation    `json:"agentInfo"`
	AgentCapabilities agentCapabilities `json:"agentCapabilities"`
	AuthMethods       []authMethod      `json:"authMethods"`
}

type agentCapabilities struct {
	LoadSession bool                `json:"loadSession"`
	Prompt      promptCapabilities  `json:"promptCapabilities"`
	MCP         mcpCapabilities     `json:"mcpCapabilities"`
	Session     sessionCapabilities `json:"sessionCapabilities"`
	Auth        authCapabilities    `json:"auth"`
}

type promptCapabilities struct {
	Image           bool `json:"image"`
	Audio           bool `json:"audio"`
	EmbeddedContext bool `json:"embeddedContext"`
}

type sessionCapabilities struct {
	List        empty `json:"list"`
	Delete      empty `json:"delete"`
	Directories empty `json:"additionalDirectories"`
	Resume      empty `json:"resume"`
	Close       empty `json:"close"`
}

type authCapabilities struct {
	Logout empty `json:"logout"`
}

func initialize(s *server, p *initializeParams) (*initializeResult, error) {
	if p.ProtocolVersion == nil {
		return nil, wire.InvalidParams("params.protocolVersion is missing")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready {
		return nil, wire.Errorf(wire.CodeInvalidRequest, "invalid_request", "initialize was called before")
	}
	s.ready, s.client = true, readCapabilities(p.Capabilities)
	if p.ClientInfo != nil {
		slog.Info("initialize", "client", p.ClientInfo.Name, "version", p.ClientInfo.Version)
	}
	return &initializeResult{
		ProtocolVersion: protocolVersion,
		AgentInfo:       implementation{Name: s.cfg.Name, Version: s.cfg.Version, Title: s.cfg.Name},
		AgentCapabilities: agentCapabilities{
			LoadSession: true,
			Prompt:      promptCapabilities{Image: true, EmbeddedContext: true},
			MCP:         servedMCP,
		},
		AuthMethods: authMethods(s.client.Auth.Terminal),
	}, nil
}

// readCapabilities reads what the client can do; what cannot be read it cannot.
func readCapabilities(raw json.RawMessage) (c clientCapabilities) {
	if len(raw) == 0 {
		return c
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		slog.Warn("the client's capabilities cannot be read; it counts as having none", "err", err)
		return clientCapabilities{}
	}
	own, err := extensionsOf[clientExtensions](c.Meta)
	if err != nil {
		slog.Warn("the client's _meta.agentd cannot be read", "err", err)
	}
	c.noQuestions = own != nil && own.AskUser != nil && !*own.AskUser
	return c
}

// authMethod is a way to get a key.
type authMethod struct {
	Type        string   `json:"type,omitempty"`
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Args        []string `json:"args,omitempty"`
}

// The ways to get a key.
const (
	authEnvironment = "environment"
	authSetup       = "setup"
)

// authMethods lists them; the one in a terminal only for clients that have one
// for it.
func authMethods(terminal bool) []authMethod {
	list := []authMethod{{ID: authEnvironment, Name: "Environment or config file",
		Description: "Set OPENAI_API_KEY (or MODEL_API_KEY) and MODEL in the environment of agentd, or \"apiKey\" and \"model\" in its config file; BASE_URL for another server."}}
	if terminal {
		list = append(list, authMethod{Type: "terminal", ID: authSetup, Name: "Set up in the terminal", Args: []string{"--setup"},
			Description: "Asks for server, key and model, and writes the config file."})
	}
	return list
}

type authenticateParams struct {
	MethodID string `json:"methodId"`
}

// authenticate looks again for a key: the person may have set one meanwhile.
func authenticate(s *server, _ context.Context, p *authenticateParams) (empty, error) {
	switch p.MethodID {
	case authEnvironment, authSetup:
		err := s.cfg.Keys.Refresh()
		if err == nil {
			s.loggedOut(false)
		}
		return empty{}, err
	}
	return empty{}, wire.InvalidParams("params.methodId: there is no method %q", p.MethodID)
}

// logout forgets the key. Open sessions go on; new ones need authenticate.
func logout(s *server, _ *empty) (empty, error) {
	s.loggedOut(true)
	s.cfg.Keys.Forget()
	return empty{}, nil
}

func (s *server) loggedOut(out bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = out
}

// refreshed looks for a key that has come since, unless the client has logged
// out.
func (s *server) refreshed() bool {
	s.mu.Lock()
	out := s.out
	s.mu.Unlock()
	return !out && s.cfg.Keys.Refresh() == nil
}
