package openai

import (
	"fmt"
	"time"
)

// Settings are what a user's config file says of a server, or of one of its
// models. What is absent stays as it is known of the server (see QuirksFor).
type Settings struct {
	// Reasoning gives reasoning_content back with assistant messages.
	Reasoning *bool `json:"reasoning,omitempty"`
	// EmptyContent is the content of a message that has only tool calls:
	// "null", "string" (an empty one) or "omit".
	EmptyContent *string `json:"emptyContent,omitempty"`
	// MaxTokens bounds a reply.
	MaxTokens *int `json:"maxTokens,omitempty"`
	// MaxCompletionTokens names this bound max_completion_tokens.
	MaxCompletionTokens *bool `json:"maxCompletionTokens,omitempty"`
	// StreamOptions asks for the usage with stream_options.
	StreamOptions *bool `json:"streamOptions,omitempty"`
	// ParallelToolCalls lets the model make several calls at once.
	ParallelToolCalls *bool `json:"parallelToolCalls,omitempty"`
	// StrictSchemas has the server hold the model to the tools' schemas.
	StrictSchemas *bool `json:"strictSchemas,omitempty"`
	// DeveloperRole sends the system prompt as a developer message.
	DeveloperRole *bool `json:"developerRole,omitempty"`
	// Vision says whether the model takes images.
	Vision *bool `json:"vision,omitempty"`
	// IdleSeconds ends a request when no byte has come for so long.
	IdleSeconds *int `json:"idleSeconds,omitempty"`
}

// Check says what is wrong with settings.
func (s Settings) Check() error {
	if s.EmptyContent != nil {
		switch *s.EmptyContent {
		case "null", string(ContentString), string(ContentOmit):
		default:
			return fmt.Errorf(`emptyContent is "null", "string" or "omit", not %q`, *s.EmptyContent)
		}
	}
	if s.MaxTokens != nil && *s.MaxTokens < 1 {
		return fmt.Errorf("maxTokens is at least 1, not %d", *s.MaxTokens)
	}
	if s.IdleSeconds != nil && *s.IdleSeconds < 1 {
		return fmt.Errorf("idleSeconds is at least 1, not %d", *s.IdleSeconds)
	}
	return nil
}

// apply changes what is known of a server.
func (s Settings) apply(q *Quirks, idle *time.Duration) {
	set(&q.SendReasoning, s.Reasoning)
	set(&q.MaxTokens, s.MaxTokens)
	set(&q.MaxCompletionTokens, s.MaxCompletionTokens)
	set(&q.StrictSchemas, s.StrictSchemas)
	set(&q.DeveloperRole, s.DeveloperRole)
	unset(&q.NoStreamOptions, s.StreamOptions)
	unset(&q.NoParallelToolCalls, s.ParallelToolCalls)
	unset(&q.NoImages, s.Vision)
	if s.EmptyContent != nil {
		q.EmptyContent = ContentForm(*s.EmptyContent)
		if *s.EmptyContent == "null" {
			q.EmptyContent = ContentNull
		}
	}
	if s.IdleSeconds != nil {
		*idle = time.Duration(*s.IdleSeconds) * time.Second
	}
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func unset(to, from *bool) {
	if from != nil {
		*to = !*from
	}
}
