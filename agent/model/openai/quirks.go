package openai

import (
	"slices"
	"strings"
)

// Quirks are the ways in which servers differ from each other. The zero value
// suits most.
type Quirks struct {
	// SendReasoning gives reasoning_content back with assistant messages.
	SendReasoning bool
	// EmptyContent is the content of a message that has only tool calls.
	EmptyContent ContentForm
	// MaxCompletionTokens names the limit max_completion_tokens, not max_tokens.
	MaxCompletionTokens bool
	// NoStreamOptions leaves stream_options, which asks for the usage, out.
	NoStreamOptions bool
	// NoParallelToolCalls asks for one call at a time.
	NoParallelToolCalls bool
	// DeveloperRole sends the system prompt as a developer message.
	DeveloperRole bool
	// StrictSchemas asks the server to hold the model to the tools' schemas.
	StrictSchemas bool
	// NoImages puts a sentence in the place of each image.
	NoImages bool
	// NoEffort leaves reasoning_effort out.
	NoEffort bool
	// MaxTokens bounds a reply, where the request does not; 0 leaves it to the
	// server.
	MaxTokens int
}

// ContentForm is how an empty content is written.
type ContentForm string

// Forms of an empty content.
const (
	ContentNull   ContentForm = ""       // null, as OpenAI writes it
	ContentString ContentForm = "string" // ""
	ContentOmit   ContentForm = "omit"   // no content field
)

// hostQuirks are the servers known to differ, by the end of their host name.
var hostQuirks = []struct {
	host   string
	quirks Quirks
}{
	{"api.openai.com", Quirks{MaxCompletionTokens: true}},
	{"openai.azure.com", Quirks{MaxCompletionTokens: true}},
	{"deepseek.com", Quirks{SendReasoning: true, EmptyContent: ContentString}},
	{"moonshot.cn", Quirks{SendReasoning: true, EmptyContent: ContentString}},
	{"moonshot.ai", Quirks{SendReasoning: true, EmptyContent: ContentString}},
	{"bigmodel.cn", Quirks{SendReasoning: true, EmptyContent: ContentString}},
	{"z.ai", Quirks{SendReasoning: true, EmptyContent: ContentString}},
	{"mistral.ai", Quirks{NoStreamOptions: true, EmptyContent: ContentString}},
}

// QuirksFor gives what is known about the server of a host name.
func QuirksFor(host string) Quirks {
	host = strings.ToLower(host)
	for _, h := range hostQuirks {
		if host == h.host || strings.HasSuffix(host, "."+h.host) {
			return h.quirks
		}
	}
	return Quirks{}
}

// adapt reads a refusal (HTTP 400) for what the server wants instead; images
// says whether the request had any. ok is false if the refusal says nothing
// about the form of the request.
func (q Quirks) adapt(message string, images bool) (adapted Quirks, ok bool) {
	m := strings.ToLower(message)
	has := func(s string) bool { return strings.Contains(m, s) }
	before := q
	switch {
	case images && !q.NoImages && refusesImages(m):
		q.NoImages = true
	case has("reasoning_effort"), has("reasoning effort"), has("reasoning.effort"):
		q.NoEffort = true
	case has("reasoning_content"):
		q.SendReasoning = !q.SendReasoning
	case has("max_completion_tokens") && !q.MaxCompletionTokens && has("max_tokens"):
		q.MaxCompletionTokens = true
	case has("max_completion_tokens"):
		q.MaxCompletionTokens = false
	case has("stream_options"), has("include_usage"):
		q.NoStreamOptions = true
	case has("parallel_tool_calls") && q.NoParallelToolCalls:
		q.NoParallelToolCalls = false
	case q.StrictSchemas && (has("strict") || has("schema")):
		q.StrictSchemas = false
	case has("content") && (has("null") || has("none") || has("string")) && !has("tool_call_id"):
		q.EmptyContent = ContentString
	case has("developer") && has("role"):
		q.DeveloperRole = false
	case has("'system'") && has("role"), has(`"system"`) && has("role"):
		q.DeveloperRole = true
	}
	return q, q != before
}

// imageWords are how servers say that a model takes no images. All words of one
// line must occur. That an image is broken or too large is something else.
var imageWords = [][]string{
	{"image input"},
	{"not support", "image"},
	{"image", "not supported"},
	{"image", "only supported"},
	{"image_url", "variant"},
	{"image_url", "expected"},
	{"content", "must be a string"},
	{"content", "valid string"},
	{"0 image"},
	{"not a multimodal"},
	{"not", "vision"},
}

// refusesImages reports whether a refusal, in small letters, says that the model
// takes no images.
func refusesImages(message string) bool {
	for _, words := range imageWords {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(message, w) }) {
			return true
		}
	}
	return false
}

// form names how messages are encoded, for model.Message.Cached.
func (q Quirks) form() string {
	form := "openai " + string(q.EmptyContent)
	if q.SendReasoning {
		form += " reasoning"
	}
	if q.NoImages {
		form += " without images"
	}
	return form
}
