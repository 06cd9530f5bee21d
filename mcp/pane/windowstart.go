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

	"planb/procgroup"
)

// startTime is how long a started program is watched. A program that cannot reach its
// display ends within a few milliseconds.
const startTime = 250 * time.Millisecond

// complaintBytes bounds what is read of a failed program's output.
const complaintBytes = 4096

// startCall starts a program that runs as long as its window, detached from
// this process, so that the window outlives it. The error says that the program
// could not be started, or failed at once, with its output.
func startCall(ctx context.Context, c call) (string, error) {
	command := exec.Command(c.argv[0], c.argv[1:]...)
	command.Dir = c.dir
	command.Env = append(os.Environ(), c.env...)
	command.SysProcAttr = procgroup.Apart()
	// The program's stderr goes to a file, not into a pipe: once this process
	// has ended, writing to its pipe would kill the program. Without a file the
	// output is lost.
	said, err := os.CreateTemp("", "planb-window-")
	if err == nil {
		command.Stderr = said
		defer func() { _ = said.Close() }() // the program has its own descriptor
		_ = os.Remove(said.Name())          // both descriptors stay open
	}
	if err := command.Start(); err != nil {
		return "", fmt.Errorf("running %s: %w", filepath.Base(c.argv[0]), err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	watch := time.NewTimer(startTime)
	defer watch.Stop()
	select {
	case err := <-ended:
		return "", startFailure(c.argv[0], err, said)
	case <-watch.C:
		return "", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func startFailure(program string, err error, said *os.File) error {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return err
	}
	var stderr []byte
	if said != nil {
		// If reading fails, the exit status must do.
		stderr, _ = io.ReadAll(io.NewSectionReader(said, 0, complaintBytes))
	}
	return fmt.Errorf("%s could not open a window (%w): %s", filepath.Base(program), exit, complaint(stderr, nil))
}

// lookPath finds a program in the directories of a PATH, or returns "". It
// skips entries that are not absolute: they would mean a directory of the
// project that the agent works on.
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
