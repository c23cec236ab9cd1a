package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/agentd-dev/agentd/agent"
	"github.com/agentd-dev/agentd/editstate"
	"github.com/agentd-dev/agentd/rpc"
	"github.com/agentd-dev/agentd/tools"
	"github.com/agentd-dev/agentd/tools/builtin"
	"github.com/agentd-dev/agentd/tools/mcp"
)

// serve runs the daemon on stdin and stdout.
func serve(args []string) int {
	o, err := parseFlags(args)
	if isHelp(err) {
		fmt.Print(usage)
		return 0
	}
	if err != nil {
		return badUsage(os.Stderr, err)
	}
	return serveWith(o, func(ctx context.Context, d *daemon, out io.Writer) int {
		return rpc.Serve(ctx, rpc.Config{In: os.Stdin, Out: out, Framing: o.framing, Agent: d.agent, Name: "agentd", Version: version, Log: d.log})
	})
}

// serveWith runs a daemon that speaks a protocol on stdin and stdout.
func serveWith(o options, protocol func(ctx context.Context, d *daemon, out io.Writer) int) int {
	out, err := claimStdout()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd: ", err)
		return 1
	}
	d, err := newDaemon(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	defer d.close()
	// A broken pipe is an error of a write, not the end of the process. The
	// signal is caught and not ignored, since children inherit what is ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	go func() {
		if waitBroken(out) {
			gone()
		}
	}()
	return protocol(ctx, d, out)
}

// daemon is the wiring of a process that serves.
type daemon struct {
	agent    *agent.Agent
	log      *rpc.LogSink
	files    []*os.File
	models   *models
	redactor *tools.Redactor
}

func newDaemon(o options) (*daemon, error) {
	cfg, err := loadConfig(o, os.Getenv)
	if err != nil {
		return nil, err
	}
	state, err := statePath(o, os.Getenv)
	if err != nil {
		return nil, err
	}
	registry, err := tools.NewRegistry(builtin.Tools()...)
	if err != nil {
		return nil, err
	}
	if err := cfg.Rules.Check(func(name string) bool { return registry.Get(name) != nil }); err != nil {
		return nil, fmt.Errorf("the config file: %w", err)
	}
	d := &daemon{}
	redactor := tools.NewRedactor(cfg.keys...)
	if err := d.openLog(o, redactor); err != nil {
		return nil, err
	}
	ms := &models{cfg: cfg, realTime: o.realTime}
	d.models, d.redactor = ms, redactor
	if o.record != "" {
		f, err := os.OpenFile(o.record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			d.close()
			return nil, fmt.Errorf("opening the recording: %w", err)
		}
		d.files = append(d.files, f)
		ms.record = maskedLines{f, redactor}
	}
	own := userFiles{}
	if p := configPath(os.Getenv); p != "" {
		own.dir = filepath.Dir(p)
	}
	environ := childEnviron(os.Environ(), cfg.keys)
	d.agent = agent.New(agent.Config{
		MCP: mcp.NewHub(environ, version), Servers: cfg.servers,
		Models: ms, Registry: registry, Host: editstate.NewHost(filepath.Join(state, "staging")),
		Redactor: redactor, Audit: tools.NewAudit(filepath.Join(state, "audit.jsonl")),
		StateDir: state, Own: ownFiles(o, os.Getenv), Environ: environ,
		Prices: cfg.Prices, MaxRequests: cfg.MaxRequests, Enable: cfg.Enable, Rules: cfg.Rules,
		UserInstructions: own.instructions, UserCommands: own.commands, UserAgents: own.agents, UserSkills: own.skills(), Shell: shellName(),
		Context: func(model string) int {
			if n := cfg.Context[model]; n > 0 {
				return n
			}
			return cfg.Context["*"]
		},
		BreakerFaults: max(cfg.Breaker.Faults, 0), BreakerPause: time.Duration(max(cfg.Breaker.Seconds, 0)) * time.Second,
	})
	for _, key := range cfg.keys {
		forgetKeys(key)
	}
	return d, nil
}

var logLevels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "error": slog.LevelError}

// openLog sends the log to stderr or a file, and to the client.
func (d *daemon) openLog(o options, r *tools.Redactor) error {
	level, ok := logLevels[o.logLevel]
	if !ok {
		return fmt.Errorf("unknown log level %q", o.logLevel)
	}
	w := os.Stderr
	if o.log != "" {
		f, err := os.OpenFile(o.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("opening the log: %w", err)
		}
		d.files = append(d.files, f)
		w = f
	}
	mask := func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindString || a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(r.Text(a.Value.String()))
		}
		return a
	}
	d.log = &rpc.LogSink{Next: slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: mask}), Level: level, Redactor: r}
	slog.SetDefault(slog.New(d.log))
	return nil
}

func (d *daemon) close() {
	for _, f := range d.files {
		f.Close()
	}
}
