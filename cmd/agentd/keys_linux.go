package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// forgetKeys removes the key from the environment of this process, also from
// the block in memory that /proc/PID/environ shows: a command that the model
// runs is a child of ours and could read it there.
func forgetKeys(key string) {
	for _, name := range keyNames {
		os.Unsetenv(name)
	}
	if key == "" {
		return
	}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	// After the name, which may hold blanks: fields 3 to 52, of which
	// env_start and env_end are 50 and 51 (proc_pid_stat(5)).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 49 {
		return
	}
	from, err1 := strconv.ParseInt(fields[47], 10, 64)
	to, err2 := strconv.ParseInt(fields[48], 10, 64)
	if err1 != nil || err2 != nil || to <= from || to-from > 8<<20 {
		return
	}
	mem, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer mem.Close()
	block := make([]byte, to-from)
	if _, err := mem.ReadAt(block, from); err != nil {
		return
	}
	blank := bytes.Repeat([]byte{'x'}, len(key))
	for at := 0; ; {
		i := bytes.Index(block[at:], []byte(key))
		if i < 0 {
			return
		}
		at += i
		if _, err := mem.WriteAt(blank, from+int64(at)); err != nil {
			return
		}
		at += len(key)
	}
}
