package editstate

import (
	"io/fs"
	"time"
)

// stamp is what a stat says about a file. Equal stamps make equal bytes very
// likely, never certain: only the hash decides whether a write may go on.
type stamp struct {
	size  int64
	links int
	mtime time.Time
	sys   sysStamp
}

func stampOf(fi fs.FileInfo) stamp {
	return stamp{size: fi.Size(), links: linkCount(fi), mtime: fi.ModTime(), sys: sysStampOf(fi)}
}
