package tools

import "github.com/agentd-dev/agentd/editstate"

// Plan is what a call is about to do, before it is done: the material for the
// policy and for the question to the person.
type Plan struct {
	// Title is one line for a person, e.g. "Edit src/main.go".
	Title string
	// Reason says why this call needs attention, if it does.
	Reason string
	// Level replaces the tool's level for this call; "" keeps it.
	Level Level
	// Traits replace the tool's traits for this call, if not nil.
	Traits *Traits
	// Changes are the files it will write.
	Changes []*editstate.Change
	// Command is what it will run.
	Command *Command
	// Grants are the permissions that are offered, narrowest first. Holding
	// any one of them lets the call run without a question.
	Grants []Grant
	// Covers are the ids of further permissions that would cover it, too many
	// to offer: an edit is covered by a grant for any folder above.
	Covers []string
	// Parts are what the user's rules are compared with. A tool that names
	// none can only be allowed or denied as a whole.
	Parts []Part
	// Loose is set when the call does more than its parts say: no rule can
	// allow it.
	Loose bool
	// Locations are the places it concerns, for the editor to follow.
	Locations []Location
	// Data is the tool's own note from Plan to Run.
	Data any
}

// Part is a part of a call for which the user may have a rule: a program with
// its arguments, or a file.
type Part struct {
	// Words are a program and its arguments; UnknownWord stands for what is
	// not known in advance.
	Words []string
	Path  string // absolute
	// Level of this part; "" is that of the call.
	Level Level
}

// UnknownWord is a word of a command that is not known before it runs.
const UnknownWord = "\x00"

// Command is a shell command exactly as it will run.
type Command struct {
	Command string `json:"command"`
	Cwd     string `json:"cwd"` // absolute
}

// Grant is a permission that a person can give for the rest of the session.
// ID holds all that the grant covers, so that two grants with equal ids are
// the same permission; Label says the same to the person.
type Grant struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Location is a place in a file. Line counts from 1; 0 means the whole file.
type Location struct {
	Path string `json:"path"` // absolute
	Line int    `json:"line,omitempty"`
}

// Decision is a person's answer to a confirmation.
type Decision string

// The decisions. Anything else counts as Reject.
const (
	Allow        Decision = "allow"
	AllowSession Decision = "allowSession"
	Reject       Decision = "reject"
	Abort        Decision = "abort" // reject, and end the turn
)

// Answer is what came back for a confirmation.
type Answer struct {
	Decision Decision `json:"decision"`
	// GrantID says which of the offered grants AllowSession gives; "" means
	// the first.
	GrantID string `json:"grantId,omitempty"`
	// Feedback is told to the model, whatever the decision.
	Feedback string `json:"feedback,omitempty"`
	// Edits replace proposed texts: what the person typed is what is written.
	Edits []EditedText `json:"edits,omitempty"`
	// Hunks, if present, allows the hunks that it names with true and no
	// other.
	Hunks map[string]bool `json:"hunks,omitempty"`
	// ByPolicy is set when no person was asked.
	ByPolicy bool `json:"-"`
}

// EditedText is the whole new text of one file of a confirmation.
type EditedText struct {
	URI  string  `json:"uri"`
	Text *string `json:"text"` // must be there
}

// Question is one question of an ask_user call.
type Question struct {
	ID       string   `json:"id"`
	Header   string   `json:"header,omitempty"`
	Question string   `json:"question"`
	Options  []Option `json:"options,omitempty"`
	// Multi lets the person choose several options.
	Multi bool `json:"multi"`
	// AllowText lets the person type an answer of their own.
	AllowText bool `json:"allowText"`
}

// Option is one answer that the person can choose.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Outcome says what became of a question.
type Outcome string

// Outcomes of a question.
const (
	Answered  Outcome = "answered"
	Declined  Outcome = "declined"  // the person chose not to answer
	Dismissed Outcome = "dismissed" // the question was closed or could not be shown
)

// AskAnswer is the reply to an ask_user call.
type AskAnswer struct {
	Outcome Outcome `json:"outcome"`
	// Answers are by question id.
	Answers map[string]QuestionAnswer `json:"answers,omitempty"`
}

// QuestionAnswer holds chosen option ids, free text, or both.
type QuestionAnswer struct {
	Options []string `json:"options,omitempty"`
	Text    string   `json:"text,omitempty"`
}
