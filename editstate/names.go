package editstate

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// likeName finds the entry of a folder that has the name in another Unicode
// form: the same letters, composed or decomposed. "" if there is none, or more
// than one.
func (r *root) likeName(dir, name string) string {
	if isASCII(name) {
		return ""
	}
	d, err := r.os.Open(dir)
	if err != nil {
		return ""
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return ""
	}
	want, found := norm.NFC.String(name), ""
	for _, n := range names {
		if n == name || isASCII(n) || norm.NFC.String(n) != want {
			continue
		}
		if found != "" {
			return ""
		}
		found = n
	}
	return found
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// windowsPath matches absolute paths of Windows: with a drive letter, of a
// network share, and of devices.
var windowsPath = regexp.MustCompile(`^([A-Za-z]:[\\/]|\\\\)`)

// checkForm refuses a name that belongs to another system or that means more
// than a file on this one. l is where it would be.
func checkForm(path string, l Loc) error {
	if runtime.GOOS == "windows" {
		if why := windowsRefuses(filepath.ToSlash(l.rel)); why != "" {
			return &Error{Code: InvalidPath, Path: path, Message: fmt.Sprintf("%s cannot be used: %s", path, why), Hint: "Use the plain name of a file."}
		}
		return nil
	}
	foreign, home := windowsPath.MatchString(path), homeOf.MatchString(path)
	if !foreign && !home && !strings.ContainsRune(path, '\\') {
		return nil
	}
	if _, err := l.root.os.Lstat(l.rel); err == nil {
		return nil // a file of that name exists
	}
	e := &Error{Code: InvalidPath, Path: path, Message: fmt.Sprintf("%s is a path with backslashes, which separate nothing on this system", path),
		Hint: "Write it with forward slashes, relative to the workspace."}
	if foreign {
		e.Message = path + " is a path of Windows, and this system is another one"
	}
	if home {
		e.Message = path + " is in the home folder of a user, which is not looked up here"
	}
	return e
}

// homeOf matches paths that shells take for the home folder of a user.
var homeOf = regexp.MustCompile(`^~[A-Za-z_][A-Za-z0-9_-]*(/|$)`)

// windowsDevices are names that mean devices in every folder, whatever their
// ending.
var windowsDevices = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])( *[.:].*)?$`)

// windowsRefuses says why a path below a root may not be used on Windows: a
// stream of a file (NTFS), a device, or a name whose end the system drops, so
// that it means a file of another name. The path has forward slashes.
func windowsRefuses(rel string) string {
	if rel == "." {
		return ""
	}
	for part := range strings.SplitSeq(rel, "/") {
		switch {
		case windowsDevices.MatchString(part):
			return fmt.Sprintf("%q is the name of a device", part)
		case strings.ContainsRune(part, ':'):
			return fmt.Sprintf("%q names a stream of a file", part)
		case strings.TrimRight(part, ". ") != part:
			return fmt.Sprintf("%q ends in a dot or blank, which Windows drops", part)
		case strings.ContainsAny(part, `<>"|?*`):
			return fmt.Sprintf("%q holds a character that no name may have", part)
		}
	}
	return ""
}
