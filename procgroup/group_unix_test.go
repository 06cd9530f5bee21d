//go:build unix

package procgroup_test

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"planb/procgroup"
)

// A program ends with the processes that it started, and its end is told as that of its
// context, even if it ends well when it is asked to.
func TestAProgramEndsWithWhatItStarted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The child tells its number itself: until it has become a program of its own, it
	// still catches the signal with the trap of the shell that it was forked from.
	command := exec.CommandContext(ctx, "/bin/sh", "-c", `trap 'exit 0' TERM; /bin/sh -c 'echo $$; exec sleep 1000' & wait`)
	kill := procgroup.Own(command)
	defer kill()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := command.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("its end is told as %v", err)
	}
	for deadline := time.Now().Add(20 * time.Second); unix.Kill(child, 0) == nil && !zombie(child); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the process that it started lives on")
		}
	}
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}
