package editstate

import (
	"io/fs"
	"syscall"
	"time"
)

type sysStamp struct {
	dev, ino uint64
	ctime    syscall.Timespec
}

func sysStampOf(fi fs.FileInfo) sysStamp {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return sysStamp{uint64(st.Dev), st.Ino, st.Ctim}
	}
	return sysStamp{}
}

// show gives the time of the last change of the inode, and its number.
func (s sysStamp) show() (ctime string, inode uint64) {
	return time.Unix(s.ctime.Unix()).UTC().Format(time.RFC3339Nano), s.ino
}

// linkCount is the number of hard links of a file.
func linkCount(fi fs.FileInfo) int {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}
