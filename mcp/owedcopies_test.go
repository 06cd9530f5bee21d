package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"planb/mcp"
	"planb/store"
	"planb/store/storetest"
)

// owing is a server whose data directory takes no copies, and one more after it.
type owing struct {
	t         *testing.T
	dir, owed string
	store     *store.Store
}

func newOwing(t *testing.T) owing {
	o := owing{t: t, dir: t.TempDir(), owed: filepath.Join(t.TempDir(), "owed"), store: store.New(storetest.NewMap(), store.Options{By: "you@example"})}
	blockDir(t, o.dir+"/plans")
	return o
}

// start connects to a server that tries again every pause.
func (o owing) start(pause time.Duration) *client {
	w := worldOver(o.t, o.store, func(cfg *mcp.Config) { cfg.DataDir, cfg.OwedDir = o.dir, o.owed })
	w.TryOwedEvery(pause)
	c := connect(o.t, w.Server)
	c.initialize("test")
	return c
}

func (o owing) unblock() {
	o.t.Helper()
	if err := os.Remove(o.dir + "/plans"); err != nil {
		o.t.Fatal(err)
	}
}

func (o owing) wantCopy(session string, number int, text string) {
	o.t.Helper()
	path := fmt.Sprintf("%s/plans/%s/v%d.md", o.dir, session, number)
	until(o.t, "the copy follows", func() bool {
		_, err := os.Stat(path)
		return err == nil
	})
	wantFile(o.t, path, text)
	until(o.t, "nothing is owed", func() bool {
		notes, err := os.ReadDir(o.owed)
		return err == nil && len(notes) == 0
	})
}

// A copy that could not be written follows by itself.
func TestACopyFollows(t *testing.T) {
	t.Parallel()
	o := newOwing(t)
	c := o.start(time.Millisecond)
	session := c.session()
	for _, plan := range []string{"first", "second"} {
		c.tool("save_plan", map[string]any{"sessionId": session, "plan": plan})
	}
	o.unblock()
	o.wantCopy(session, 1, "first")
	o.wantCopy(session, 2, "second")
}

// What a server owed when it ended, another writes with its first call; and what
// it owed of a session that is gone since, nobody.
func TestAnotherServerWritesTheCopy(t *testing.T) {
	t.Parallel()
	o := newOwing(t)
	c := o.start(time.Hour)
	session := c.session()
	c.tool("save_plan", map[string]any{"sessionId": session, "plan": "text"})
	gone := "01a1fd0b-66d3-7399-ba4f-9955bd2b8d90"
	for _, note := range []string{gone + ".v1", gone + ".v0"} {
		if err := os.WriteFile(filepath.Join(o.owed, note), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o.unblock()
	o.start(time.Millisecond).session()
	o.wantCopy(session, 1, "text")
	if _, err := os.Stat(o.dir + "/plans/" + gone); err == nil {
		t.Error("there is a copy of a plan that is not there")
	}
}
