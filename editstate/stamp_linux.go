package editstate

import (
	"io/fs"
	"syscall"
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

// linkCount is the number of hard links of a file.
func linkCount(fi fs.FileInfo) int {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}
