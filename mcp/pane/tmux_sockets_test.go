//go:build unix

package pane

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlySocketsThatTmuxWouldTrustAreTried(t *testing.T) {
	t.Parallel()
	base, err := os.MkdirTemp("", "planb-s") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	dir := filepath.Join(base, fmt.Sprintf("tmux-%d", os.Getuid()))
	sockets := func() (paths []string) {
		t.Helper()
		servers, err := tmuxServers(environment("TMUX_TMPDIR=" + base))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range servers {
			paths = append(paths, s.socket)
		}
		return paths
	}
	if got := sockets(); got != nil {
		t.Errorf("without a directory: %q", got)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxSockets + 3 {
		listener, err := net.Listen("unix", filepath.Join(dir, fmt.Sprintf("%02d", i)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
	}
	if err := os.WriteFile(filepath.Join(dir, "00file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "01"), filepath.Join(dir, "00link")); err != nil {
		t.Fatal(err)
	}
	if got := sockets(); len(got) != maxSockets || got[0] != filepath.Join(dir, "00") || got[1] != filepath.Join(dir, "01") {
		t.Errorf("got %q", got)
	}
	if err := os.Chmod(dir, 0o707); err != nil {
		t.Fatal(err)
	}
	if got := sockets(); got != nil {
		t.Errorf("in a directory that everybody can write to: %q", got)
	}
	if err := os.Rename(dir, filepath.Join(base, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(base, "elsewhere"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(base, "elsewhere"), dir); err != nil {
		t.Fatal(err)
	}
	if got := sockets(); got != nil {
		t.Errorf("behind a link: %q", got)
	}
}
