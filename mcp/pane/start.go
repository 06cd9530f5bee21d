package pane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// startTime is how long a started program is watched for failing at once. One
// that cannot reach its display ends within a few milliseconds.
const startTime = 250 * time.Millisecond

// complaintBytes is how much of what a failed program wrote is read.
const complaintBytes = 4096

// startCall starts a program that stays for as long as its window does, apart
// from this process, so that the window outlives it. The error is for one that
// could not be started, or failed at once; then it holds what the program said.
func startCall(ctx context.Context, c call) error {
	command := exec.Command(c.argv[0], c.argv[1:]...)
	command.Dir = c.dir
	command.Env = append(os.Environ(), c.env...)
	command.SysProcAttr = apart()
	// What it says goes to a file, never into a pipe: writing to a pipe that
	// ended with this process would kill it. Without a file nothing is kept.
	said, err := os.CreateTemp("", "planb-window-")
	if err == nil {
		command.Stderr = said
		defer func() { _ = said.Close() }() // the program has its own
		_ = os.Remove(said.Name())          // it stays open for both
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("running %s: %w", filepath.Base(c.argv[0]), err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	watch := time.NewTimer(startTime)
	defer watch.Stop()
	select {
	case err := <-ended:
		return startFailure(c.argv[0], err, said)
	case <-watch.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func startFailure(program string, err error, said *os.File) error {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return err
	}
	var stderr []byte
	if said != nil {
		// What cannot be read back leaves the exit status to tell.
		stderr, _ = io.ReadAll(io.NewSectionReader(said, 0, complaintBytes))
	}
	return fmt.Errorf("%s could not open a window (%w): %s", filepath.Base(program), exit, complaint(stderr, nil))
}

// lookPath finds a program in the directories of a PATH; empty if it is in none.
// Entries that are not absolute are left out: they would mean the directory of
// whatever project the agent works on.
func lookPath(path, program string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, program)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return file
		}
	}
	return ""
}
