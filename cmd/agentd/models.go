package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/agent/model"
	"github.com/agentd-dev/agentd/agent/model/openai"
	"github.com/agentd-dev/agentd/cmd/agentd/demo"
)

// models opens models by name: "replay:FILE", "replay:demo", or a model of the
// configured server. Each is made once, when it is first asked for.
type models struct {
	cfg      config
	record   io.Writer
	realTime bool // for replays

	mu     sync.Mutex
	open   map[string]model.Model
	locked bool // the key is not used until it is looked for again
}

// use takes a configuration that was read anew; first is done before anything
// can be asked with it.
func (m *models) use(cfg config, first func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first()
	m.cfg, m.locked = cfg, false
	clear(m.open)
}

// forget gives no more models of the server until use.
func (m *models) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.locked = true
	clear(m.open)
}

// Open implements agent.Models.
func (m *models) Open(name string) (model.Model, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if name == "" {
		name = m.cfg.Model
	}
	if mod := m.open[name]; mod != nil {
		return mod, nil
	}
	mod, err := m.make(name)
	if err != nil {
		return nil, err
	}
	if m.record != nil {
		mod = model.NewRecorder(mod, m.record)
	}
	if m.open == nil {
		m.open = map[string]model.Model{}
	}
	m.open[name] = mod
	return mod, nil
}

func (m *models) make(name string) (model.Model, error) {
	if file, ok := strings.CutPrefix(name, "replay:"); ok {
		return openReplay(file, m.realTime)
	}
	if m.locked {
		return nil, &agent.Error{Kind: agent.ErrAuthRequired, Message: "you have logged out; log in to use the model's server again"}
	}
	if m.cfg.APIKey == "" && m.cfg.BaseURL == "" {
		return nil, noKey()
	}
	if name == "" {
		return nil, &agent.Error{Kind: agent.ErrNoModel, Message: "no model is chosen. Set MODEL, or \"model\" in the config file" + m.offers() + "."}
	}
	c, err := openai.New(openai.Config{BaseURL: m.cfg.BaseURL, APIKey: m.cfg.APIKey, Model: name, Settings: m.cfg.settings(name)})
	if err != nil {
		return nil, &agent.Error{Kind: agent.ErrNoModel, Message: err.Error(), Err: err}
	}
	return c, nil
}

// offers asks the server what it has, for the message about a missing name.
func (m *models) offers() string {
	c, err := openai.New(openai.Config{BaseURL: m.cfg.BaseURL, APIKey: m.cfg.APIKey})
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	names, err := c.Models(ctx)
	if err != nil || len(names) == 0 {
		return ""
	}
	if len(names) > 20 {
		names = append(names[:20], "...")
	}
	return "; the server has " + strings.Join(names, ", ")
}

// List implements agent.Models.
func (m *models) List() []agent.ModelInfo {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []agent.ModelInfo
	for _, e := range append([]modelEntry{{ID: m.cfg.Model}}, m.cfg.Models...) {
		if info := (agent.ModelInfo{ID: e.ID}); e.ID != "" && !slices.Contains(out, info) {
			out = append(out, info)
		}
	}
	return append(out, agent.ModelInfo{ID: "replay:demo", Name: "Offline demo (scripted, no model)"})
}

func openReplay(file string, realTime bool) (model.Model, error) {
	b := demo.Script
	if file != "demo" {
		var err error
		if b, err = os.ReadFile(file); err != nil {
			msg := fmt.Sprintf("the replay %s cannot be read: %v", file, err)
			if errors.Is(err, fs.ErrNotExist) {
				msg = fmt.Sprintf("there is no replay file %s", file)
			}
			return nil, &agent.Error{Kind: agent.ErrNoModel, Message: msg, Err: err}
		}
	}
	r, err := model.NewReplay(file, bytes.NewReader(b), model.Options{RealTime: realTime || file == "demo"})
	if err != nil {
		return nil, &agent.Error{Kind: agent.ErrNoModel, Message: err.Error(), Err: err}
	}
	return r, nil
}

// localServer is a model server that people run on their own machine.
type localServer struct{ name, url string }

var localServers = []localServer{
	{"Ollama", "http://127.0.0.1:11434/v1"},
	{"LM Studio", "http://127.0.0.1:1234/v1"},
	{"llama.cpp", "http://127.0.0.1:8080/v1"},
}

// noKey says what to do without a key, and names the local servers that
// answer.
func noKey() error {
	msg := "No model is set up. Do one of these:\n" +
		"- set OPENAI_API_KEY (or MODEL_API_KEY) and MODEL in agentd's environment;\n" +
		"- for another server set BASE_URL, too, e.g. BASE_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 for Ollama;\n" +
		"- try it offline with the model \"replay:demo\", which is scripted."
	for _, s := range findLocal(localServers) {
		msg += fmt.Sprintf("\n%s is running here: BASE_URL=%s", s.name, s.url)
	}
	return &agent.Error{Kind: agent.ErrAuthRequired, Message: msg}
}

// findLocal asks the local servers whether they are there.
func findLocal(servers []localServer) []localServer {
	found := make([]bool, len(servers))
	var wg sync.WaitGroup
	client := http.Client{Timeout: 300 * time.Millisecond}
	for i, s := range servers {
		wg.Go(func() {
			res, err := client.Get(s.url + "/models")
			if err != nil {
				return
			}
			defer res.Body.Close()
			b, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
			if err == nil && res.StatusCode == http.StatusOK {
				_, err = model.ReadModels(b)
				found[i] = err == nil
			}
		})
	}
	wg.Wait()
	var out []localServer
	for i, s := range servers {
		if found[i] {
			out = append(out, s)
		}
	}
	return out
}
