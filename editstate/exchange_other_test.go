//go:build !linux

package editstate

import "os"

// exchange gives two names each other's place. What is made at a name while
// nothing stands there is in the way, and goes.
func exchange(a, b string) error {
	if err := os.Rename(a, a+"~"); err != nil {
		return err
	}
	for {
		_ = os.RemoveAll(a)
		if os.Rename(b, a) == nil {
			break
		}
	}
	return os.Rename(a+"~", b)
}
