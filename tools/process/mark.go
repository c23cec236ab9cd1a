// Package process starts child processes in groups of their own, and sees to it
// that nothing of them is left: not what has moved to another group, and not what
// a killed daemon could not end any more.
package process

import (
	"crypto/rand"
	"fmt"
	"os"
	"time"
)

// MarkName is an environment variable that names the daemon and the owner of a
// process, whatever process group it has moved to.
const MarkName = "AGENTD_SESSION"

// NewMark makes the mark of an owner: a variable for the environment of its
// processes. A text that is added to it makes the mark of one of them.
func NewMark() string { return fmt.Sprintf("%s=%d-%s.", MarkName, os.Getpid(), rand.Text()) }

// WaitUntil looks every few milliseconds whether done holds, for at most d.
func WaitUntil(d time.Duration, done func() bool) bool {
	deadline := time.Now().Add(d)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		if time.Now().After(deadline) {
			return false
		}
		<-tick.C
	}
	return true
}
