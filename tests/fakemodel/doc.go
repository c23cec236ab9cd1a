// Package fakemodel is a scripted OpenAI-compatible server for tests: it plays
// the replies of a script, keeps the requests it got, and is stricter about
// them than most real servers.
//
// # The script
//
// A script is a list of replies, separated by lines of three dashes; each
// request is answered by the next one. A line is a directive; blank lines and
// lines that start with # are ignored. A string is Go-quoted ("a\n", `a`) or,
// where it is the last thing on the line, bare words up to the end of the line.
//
//	text Let me look.
//	call read_file {"path":"a.txt"}
//	---
//	want last "hello"
//	text "The file says hello.\n"
//
// # What a reply says
//
//	text STRING             a piece of the answer
//	thought STRING          a piece of reasoning_content
//	call NAME ARGUMENTS     a tool call; ARGUMENTS is JSON to the end of the
//	                        line, or a Go-quoted string to send anything else;
//	                        none means {}. NAME may be quoted.
//	call id=ID NAME ...     the same with a given id; otherwise ids are c1, c2 ...
//	chunks N                later texts, thoughts and arguments come in N pieces
//	finish REASON           default: tool_calls after a call, otherwise stop;
//	                        "null" sends null, "none" sends no finish chunk
//	usage IN OUT            token counts, optional cached=N and reasoning=N;
//	                        default: a quarter of the bytes; "none" sends none
//	delay DURATION          waits, e.g. 200ms
//	meet N                  waits until N requests have come to such a line
//	stall                   sends nothing more until the client goes away
//	cut                     drops the connection here
//	end                     ends the stream cleanly here: no finish, no [DONE]
//	data STRING             one server-sent event, e.g. data {"error":"quota"}
//	raw STRING              bytes as they are, e.g. raw ": ping\n\n"
//	delta JSON              one chunk with this delta, as it is
//	lines crlf, lines cr    how the lines of the stream end
//	packets one, packets N  the stream in one packet, or in packets of N bytes
//	gzip                    the stream compressed
//
// # Other answers
//
//	status CODE             an HTTP error instead of a stream
//	header NAME: VALUE      a header of the answer
//	body STRING             the body of the answer instead of a stream
//
// # What the request must be
//
// An expectation that does not hold is recorded in Errors and answered with
// 400, so that the client gives up at once.
//
//	want last STRING        the messages after the last assistant message hold it
//	want any STRING         some message holds it
//	want system STRING      the system prompt holds it
//	want tools NAME         this tool is offered
//	want model NAME         this model is asked for
//	want body STRING        the raw JSON holds it
//	want messages N         number of messages, the system prompt not counted
//	want images N           number of image parts in them
//	want after DURATION     so long at least after the request before it
//	want-not ...            the opposite of any of these
//	if ..., if-not ...      the reply is skipped unless this holds
//
// # How often
//
//	repeat N                the reply answers N requests
//	forever                 the reply answers all further requests
//	back N                  after this reply the one N replies before it comes again
//
// # Conversations
//
// A line "== SUBSTRING" starts a conversation: its replies answer requests
// whose first user messages (those before the first assistant message) hold
// SUBSTRING. What comes before the first such line answers the rest.
//
// # Settings
//
// These may stand anywhere and hold for the whole script. What reasoning, limit
// and key refuse is not recorded in Errors.
//
//	set strict off          accept any request; otherwise it must be valid, and
//	                        none that was refused with 400 may come again unchanged
//	set content string      content must be a string in every message
//	set content null        content must be null or absent where it is empty
//	set reasoning required  tool calls need reasoning_content with them
//	set reasoning rejected  reasoning_content is refused
//	set limit BYTES         longer requests get a 400 about the context length
//	set key KEY             other keys get a 401
//
// # Placeholders
//
// These are replaced in what a reply sends:
//
//	{{last REGEXP}}         what REGEXP (or its first group) matches in "last"
//	{{repeat N STRING}}     STRING N times
//	{{authorization}}       the request's Authorization header
//	{{date DURATION}}       an HTTP date, so long from now
package fakemodel
