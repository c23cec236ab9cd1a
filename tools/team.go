package tools

import (
	"context"
	"io"
	"time"
)

// Lead is the name of the agent that the person talks to, in its team.
const Lead = "lead"

// MemberRequest asks for a new member of the team.
type MemberRequest struct {
	CallID string // of the call that asks
	Name   string
	Type   string // of subagent
	Role   string // what it is for and has to know
}

// TeamMessage is a message of one member to another.
type TeamMessage struct {
	From string    `json:"from"`
	Text string    `json:"text"`
	Time time.Time `json:"time"`
}

// Member is a member of the team as others see it.
type Member struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	Role string `json:"role,omitempty"`
	// State is "idle", "working", "ended".
	State string `json:"state"`
	// Waiting counts the messages that it has not read.
	Waiting int `json:"waiting"`
}

// Team is the team of a session as one of its members sees it.
type Team interface {
	// Check says whether a member can be made.
	Check(r MemberRequest) error
	// Create makes a member. It works while live runs, which must be called once,
	// in the background; it runs until ctx is done and says how it ended.
	Create(r MemberRequest) (live func(ctx context.Context, out io.Writer) (ended string), err error)
	// Send leaves a message for a member, or for all others ("all").
	Send(to, text string) error
	// Read takes the messages that wait for the caller; without any it waits for
	// at most so long.
	Read(ctx context.Context, wait time.Duration) ([]TeamMessage, error)
	// List lists the members, the lead first.
	List() []Member
}
