package rig

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"golang.org/x/sys/unix"
)

// StartCleared starts a server that has no variable of tmux, from a shell in a
// window of its own. It returns the window's pane.
func (tm *Tmux) StartCleared(data string, shell []string) (a *Agent, pane string) {
	tm.T.Helper()
	a = tm.ConnectCleared(data, func(words ...string) {
		command := append([]string{"--"}, shell...)
		command = append(command, "-c", `"$@"; exec cat`, "sh")
		pane = tm.NewWindow(append(command, words...)...)
	})
	return a, pane
}

// ConnectCleared calls start with a command that runs a server in a nearly
// empty environment. It connects to that server through two named pipes.
func (tm *Tmux) ConnectCleared(data string, start func(words ...string)) *Agent {
	t := tm.T
	t.Helper()
	in, out := filepath.Join(data, "in"), filepath.Join(data, "out")
	for _, path := range []string{in, out} {
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start("env", "-i", "HOME="+data, "PATH="+os.Getenv("PATH"), "LC_ALL=C.UTF-8", "PLANB_DATA_DIR="+data, "TMUX_TMPDIR="+tm.Home,
		"sh", "-c", `exec "$0" mcp <"$1" >"$2" 2>/dev/null`, Planb(t), in, out)
	to, from := openFIFO(t, in, os.O_WRONLY), openFIFO(t, out, os.O_RDONLY)
	a := &Agent{t: t, Client: client.NewClient(transport.NewIO(from, to, io.NopCloser(strings.NewReader(""))))}
	t.Cleanup(func() { // the server is nobody's child, and writes into the directory until it ends
		_ = to.Close()
		Until(t, "the server has ended", func() bool {
			pipe, err := os.OpenFile(in, os.O_WRONLY|unix.O_NONBLOCK, 0)
			if err == nil {
				err = pipe.Close()
			}
			return errors.Is(err, unix.ENXIO) // it has no reader any more
		})
	})
	a.shakeHands(testAgent())
	return a
}

func openFIFO(t testing.TB, path string, flag int) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, flag, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // the client may have closed it
	return file
}
