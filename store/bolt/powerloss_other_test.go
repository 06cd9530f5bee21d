//go:build !linux

package bolt

import "errors"

var errNoTrace = errors.New("calls are recorded on Linux only")

func childLives(string, string) error { return errNoTrace }

func childForgetful(string, string, string, string) error { return errNoTrace }
