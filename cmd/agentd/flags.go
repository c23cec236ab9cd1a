package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/agentd-dev/agentd/rpc"
)

// options are the flags of the daemon.
type options struct {
	framing  rpc.Framing
	model    string
	baseURL  string
	record   string
	config   string
	stateDir string
	log      string
	logLevel string
	realTime bool // for replays
}

// parseFlags reads the daemon's flags.
func parseFlags(args []string) (options, error) {
	o := options{framing: rpc.Headers}
	fs := flag.NewFlagSet("agentd", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("framing", "", func(s string) error {
		switch o.framing = rpc.Framing(s); o.framing {
		case rpc.Headers, rpc.Lines:
			return nil
		}
		return fmt.Errorf("there are headers and lines")
	})
	fs.StringVar(&o.model, "model", "", "")
	fs.StringVar(&o.baseURL, "base-url", "", "")
	fs.StringVar(&o.record, "record", "", "")
	fs.Func("replay-speed", "", func(s string) error {
		switch s {
		case "real", "full":
			o.realTime = s == "real"
			return nil
		}
		return fmt.Errorf("there are real and full")
	})
	fs.StringVar(&o.config, "config", "", "")
	fs.StringVar(&o.stateDir, "state-dir", "", "")
	fs.StringVar(&o.log, "log", "", "")
	fs.StringVar(&o.logLevel, "log-level", "warning", "")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return o, nil
}

// isHelp reports whether flags failed because help was asked for.
func isHelp(err error) bool { return errors.Is(err, flag.ErrHelp) }
