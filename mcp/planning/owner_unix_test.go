//go:build unix

package planning_test

import (
	"os"
	"syscall"
	"testing"

	"planb/mcp/mcptest"
)

// In a container an agent may run as root on a project of the person, who goes on editing
// their plan.
func TestAPlanFileKeepsItsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives a file to somebody else")
	}
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("a")
	a.Put(t, path, "# Person's\n")
	if err := os.Chown(path, 4711, 4712); err != nil {
		t.Fatal(err)
	}
	a.Does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "Person's", "newString": "Agent's"})
	mcptest.WantText(t, path, "# Agent's\n")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if now := info.Sys().(*syscall.Stat_t); now.Uid != 4711 || now.Gid != 4712 || info.Mode().Perm() != 0o644 {
		t.Errorf("it belongs to user %d and group %d, with the mode %v", now.Uid, now.Gid, info.Mode())
	}
}
