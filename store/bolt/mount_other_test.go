//go:build !linux

package bolt

import "errors"

func childMounted(string, []string) error {
	return errors.New("only Linux mounts for tests")
}
