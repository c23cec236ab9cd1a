package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/agentd-dev/agentd/tools"
)

const auditUsage = `agentd audit - show what was called, allowed and changed

Usage:
  agentd audit [flags]

Flags:
  --session ID     of this session
  --tool NAME      of this tool; * stands for any text
  --decision D     allow, deny or none
  --status S       success, partial or error
  --since TIME     from then on: a duration like 2h, or a date like 2026-03-02
  --changes        only calls that changed files
  --last N         only the last N
  --json           the records as they are, one JSON object a line
  --state-dir DIR  where the audit is kept
`

// auditFilter says which records are shown.
type auditFilter struct {
	session, tool, decision, status string
	since                           time.Time
	changes, json                   bool
	last                            int
}

// printAudit shows the audit.
func printAudit(args []string, w io.Writer) int {
	var f auditFilter
	var o options
	flags := flag.NewFlagSet("audit", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&f.session, "session", "", "")
	flags.StringVar(&f.tool, "tool", "", "")
	flags.StringVar(&f.decision, "decision", "", "")
	flags.StringVar(&f.status, "status", "", "")
	flags.Func("since", "", func(s string) (err error) { f.since, err = parseSince(s, time.Now()); return err })
	flags.BoolVar(&f.changes, "changes", false, "")
	flags.BoolVar(&f.json, "json", false, "")
	flags.IntVar(&f.last, "last", 0, "")
	flags.StringVar(&o.stateDir, "state-dir", "", "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(w, auditUsage)
		return 0
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if _, perr := path.Match(f.tool, ""); err == nil && perr != nil {
		err = fmt.Errorf("--tool: %q is no pattern", f.tool)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "agentd: %v\n\n%s", err, auditUsage)
		return 2
	}
	state, err := statePath(o, os.Getenv)
	if err == nil {
		err = showAudit(w, state, f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentd:", err)
		return 1
	}
	return 0
}

// parseSince reads a duration before now, a date or a time.
func parseSince(s string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", time.DateTime, time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since: %q is neither a duration like 2h nor a date like 2026-03-02", s)
}

// showAudit prints the records of the set-aside file and the present one.
func showAudit(w io.Writer, state string, f auditFilter) error {
	lines, bad, err := auditLines(filepath.Join(state, "audit.jsonl"), f)
	if err != nil {
		return err
	}
	if f.last > 0 && len(lines) > f.last {
		lines = lines[len(lines)-f.last:]
	}
	out := bufio.NewWriter(w)
	tw := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if !f.json && len(lines) > 0 {
		fmt.Fprintln(tw, "TIME\tSESSION\tTOOL\tLEVEL\tDECISION\tSTATUS\tMS\tWHAT")
	}
	for _, l := range lines {
		if f.json {
			out.Write(append(l.raw, '\n'))
			continue
		}
		r := l.rec
		decision := r.Decision
		if r.By != "" {
			decision += " by " + r.By
		}
		status := string(r.Status)
		if r.Code != "" {
			status += " " + string(r.Code)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t%s\n", r.Time.Local().Format("2006-01-02 15:04:05"), r.Session, r.Tool, r.Level, decision, status, r.Ms, auditWhat(r))
	}
	tw.Flush()
	if bad > 0 {
		fmt.Fprintf(os.Stderr, "agentd: %d lines of the audit are damaged and left out\n", bad)
	}
	return out.Flush()
}

type auditLine struct {
	raw []byte
	rec tools.Record
}

// auditLines reads the records that f wants, oldest first, and counts lines
// that are none, such as a last one that was cut by a crash.
func auditLines(file string, f auditFilter) (lines []auditLine, bad int, err error) {
	for _, name := range []string{file + ".1", file} {
		h, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		sc := bufio.NewScanner(h)
		sc.Buffer(nil, 64<<20)
		for sc.Scan() {
			l := auditLine{raw: append([]byte(nil), sc.Bytes()...)}
			switch {
			case json.Unmarshal(l.raw, &l.rec) != nil:
				bad++
			case f.wants(l.rec):
				lines = append(lines, l)
			}
			if f.last > 0 && len(lines) > 2*f.last {
				lines = append(lines[:0], lines[len(lines)-f.last:]...)
			}
		}
		h.Close()
		if err := sc.Err(); err != nil {
			return nil, 0, fmt.Errorf("reading the audit: %w", err)
		}
	}
	return lines, bad, nil
}

func (f auditFilter) wants(r tools.Record) bool {
	tool := true
	if f.tool != "" {
		tool, _ = path.Match(f.tool, r.Tool)
	}
	return tool && (f.session == "" || f.session == r.Session) && (f.decision == "" || f.decision == r.Decision) &&
		(f.status == "" || f.status == string(r.Status)) && !r.Time.Before(f.since) && (!f.changes || len(r.Changes) > 0)
}

// auditWhat sums a call up in one line.
func auditWhat(r tools.Record) string {
	var args map[string]any
	_ = json.Unmarshal(r.Args, &args) // of a call that did not decode there are none
	for _, name := range []string{"command", "path", "pattern", "question", "name"} {
		if s, ok := args[name].(string); ok {
			line := strings.Join(strings.Fields(s), " ")
			if len([]rune(line)) > 80 {
				line = string([]rune(line)[:80]) + "…"
			}
			if len(r.Changes) > 0 {
				line = r.Changes[0].Op + " " + line
			}
			return strings.Map(func(r rune) rune {
				if r < ' ' || r == 0x7f {
					return '\uFFFD'
				}
				return r
			}, line)
		}
	}
	return ""
}
