package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// maxName is what model APIs allow the name of a tool to have.
const maxName = 64

// hashLength is how much of a hash makes a name distinct.
const hashLength = 8

var foreign = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// Prefix begins the names of all tools of MCP servers.
const Prefix = "mcp__"

// toolName is the name by which the model calls a server's tool:
// mcp__server__tool. A name that cannot be told as it is, or that could be read
// in two ways, is shortened to what can be told and ends in a hash of both names:
// it depends on nothing else, so that it is the same in every session.
func toolName(server, tool string) string {
	name := Prefix + server + "__" + tool
	if len(name) <= maxName && !foreign.MatchString(name) && server != "" && tool != "" &&
		!strings.Contains(server, "__") && !strings.HasSuffix(server, "_") && !strings.HasPrefix(tool, "_") {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	hash := "_" + hex.EncodeToString(sum[:])[:hashLength]
	clean := func(s string, most int) string {
		s = strings.Trim(foreign.ReplaceAllString(s, "_"), "_")
		for strings.Contains(s, "__") {
			s = strings.ReplaceAll(s, "__", "_")
		}
		return strings.TrimRight(s[:min(len(s), most)], "_")
	}
	room := maxName - len(Prefix) - len("__") - len(hash)
	s := clean(server, room/2)
	if s == "" {
		s = "server"
	}
	t := clean(tool, room-len(s))
	if t == "" {
		t = "tool"
	}
	return Prefix + s + "__" + t + hash
}
