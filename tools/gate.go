package tools

import "context"

// Gate decides what may run and asks the person. The agent implements it.
type Gate interface {
	// Judge decides about a call without asking anybody.
	Judge(r *Request) Verdict
	// Confirm asks the person and waits for the answer. Before it shows the
	// question it judges again, since an answer given meanwhile may have
	// settled it.
	Confirm(ctx context.Context, r *Request) (Answer, error)
}

// Request is a call that wants to run.
type Request struct {
	Call   *Call
	Level  Level
	Traits Traits
	Plan   *Plan // never nil
}

// Ruling is what a Gate says of a call.
type Ruling string

// The rulings.
const (
	Run  Ruling = "run"
	Ask  Ruling = "ask"
	Deny Ruling = "deny"
)

// Verdict is a ruling with its reason, for the audit and, if it is Deny, for
// the model.
type Verdict struct {
	Ruling Ruling
	// By says who decided: "level", "mode", "grant", "rule".
	By     string
	Reason string
}
