package acp

import (
	"strings"

	"github.com/agentd-dev/agentd/rpc/wire"
)

// chunk is an update that carries a piece of text. There are thousands in a
// turn, so they are encoded by hand and joined while they wait.
type chunk struct {
	session   string
	kind      string // "agent_message_chunk", ...
	messageID string
	text      []byte
}

// mostChunk bounds what is joined.
const mostChunk = 256 << 10

// Join implements wire.Growing.
func (c *chunk) Join(g wire.Growing) (int, bool) {
	next, ok := g.(*chunk)
	if !ok || c.session != next.session || c.kind != next.kind || c.messageID != next.messageID || len(c.text)+len(next.text) > mostChunk {
		return 0, false
	}
	c.text = append(c.text, next.text...)
	return len(next.text), true
}

// Size implements wire.Growing.
func (c *chunk) Size() int { return len(c.text) + 160 }

// Encode implements wire.Growing.
func (c *chunk) Encode(b []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	b = wire.AppendString(b, c.session)
	b = append(b, `,"update":{"sessionUpdate":"`...)
	b = append(b, c.kind...)
	b = append(b, `","messageId":`...)
	b = wire.AppendString(b, c.messageID)
	b = append(b, `,"content":{"type":"text","text":`...)
	b = wire.AppendString(b, c.text)
	return append(b, `}}}}`...)
}

// escape keeps a text from being read as Markdown.
func escape(s string) string {
	return strings.NewReplacer("\\", `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "<", `\<`, "\n", " ").Replace(s)
}
