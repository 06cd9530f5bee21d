//go:build !linux

package bolt

import (
	"os"
	"strconv"
	"strings"
)

// turnstileFlag is how the turnstile is opened: its holder writes into it.
const turnstileFlag = os.O_RDWR

// holderBytes is the length of the note in the turnstile.
const holderBytes = 256

// noteHolder writes into the turnstile who holds it. An error is not worth
// telling: the note only makes a sentence better.
func noteHolder(f *os.File) {
	note := strconv.Itoa(os.Getpid()) + "\n" + strings.Join(os.Args, " ")
	if len(note) > holderBytes {
		note = note[:holderBytes]
	}
	_, _ = f.WriteAt([]byte(note+strings.Repeat("\n", holderBytes-len(note))), 0)
}

// holder names the process that was the last to hold the turnstile, the file at the
// last of the paths; empty if the turnstile names none.
func holder(paths ...string) string {
	note, err := os.ReadFile(paths[len(paths)-1])
	if err != nil {
		return ""
	}
	first, rest, _ := strings.Cut(string(note), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return ""
	}
	return described(pid, strings.TrimRight(rest, "\n"))
}
