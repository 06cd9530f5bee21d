package wait_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/mcp/pane"
)

// hangingOpener says where forms belong only after its release.
type hangingOpener struct {
	mcptest.Screen
	released chan struct{}
	deaf     bool // it does not heed that its caller gave up
}

func (h *hangingOpener) Place(ctx context.Context) (string, error) {
	gaveUp := ctx.Done()
	if h.deaf {
		gaveUp = nil
	}
	select {
	case <-h.released:
		return h.Screen.Place(ctx)
	case <-gaveUp:
		return "", ctx.Err()
	}
}

// manyCalls is more calls than have room to be worked on at once.
const manyCalls = 40

// askMany starts that many asks, in sessions enough for them, without waiting for any.
func askMany(c *mcptest.Client) (ids []string) {
	c.T.Helper()
	sessions := []string{c.Session(), c.Session(), c.Session()}
	for i := range manyCalls {
		ids = append(ids, c.StartTool("ask_user", mcptest.Titled(sessions[i%len(sessions)], fmt.Sprint("Question ", i))))
	}
	return ids
}

// While every call that is worked on hangs: a ping is answered, a call is cancelled
// whether it hangs or has not been begun, and the end of the input is the end.
func TestCallsThatHangDoNotStopTheReading(t *testing.T) {
	t.Parallel()
	for _, deaf := range []bool{false, true} {
		mcptest.Timed(t, fmt.Sprint("the opener hears nothing: ", deaf), func(t *testing.T) {
			opener := &hangingOpener{released: make(chan struct{}), deaf: deaf}
			defer close(opener.released)
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, opener })
			c := mcptest.Connect(t, w.Server)
			c.Initialize("test")
			begun := time.Now()
			ids := askMany(c)
			c.Request("ping", nil)
			cancelled := []string{ids[0], ids[15], ids[16], ids[manyCalls-1]}
			c.Cancel(cancelled...)
			c.Request("ping", nil)
			if took := time.Since(begun); took > 0 {
				t.Errorf("pings and cancellations waited for %v", took)
			}
			if err := c.End(); err != nil {
				t.Error(err)
			}
			if took := time.Since(begun); took > 2*time.Second {
				t.Errorf("the server took %v to return", took)
			}
			c.Unanswered(cancelled...)
		})
	}
}

// A request that waits for room is served once there is room, unless it was cancelled; the
// same holds in a batch.
func TestWhatWaitsForRoomIsServedUnlessCancelled(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "of one line each", func(t *testing.T) {
		opener := &hangingOpener{released: make(chan struct{})}
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, opener })
		show, leave := w.ServePlace(t, "window-1")
		defer leave()
		opener.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		ids := askMany(c)
		c.Cancel(ids[20:30]...)
		c.Request("ping", nil)
		close(opener.released)
		asks := w.Opened(manyCalls - 10)
		for _, ask := range asks {
			for i := 20; i < 30; i++ {
				if ask.Spec.Title.Raw() == fmt.Sprint("Question ", i) {
					t.Errorf("%q was asked after its cancellation", ask.Spec.Title.Raw())
				}
			}
		}
		if err := c.End(); err != nil {
			t.Error(err)
		}
		c.Unanswered(ids[20:30]...)
		for _, id := range append(ids[:20:20], ids[30:]...) {
			c.Answer(id)
		}
	})
	mcptest.Timed(t, "of a batch", func(t *testing.T) {
		opener := &hangingOpener{released: make(chan struct{})}
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, opener })
		show, leave := w.ServePlace(t, "window-1")
		defer leave()
		opener.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.InitializeWith("2025-03-26")
		session := c.Session()
		askMany(c)
		plan := func(id string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"save_plan","arguments":{"sessionId":%q,"plan":"# Plan %s"}}}`,
				id, session, id)
		}
		c.Write("[" + plan("901") + "," + plan("902") + "," + mcptest.Ping + "]\n")
		c.Cancel("901")
		c.Request("ping", nil)
		close(opener.released)
		var replies []mcptest.Message
		if got := c.Reply("batch"); json.Unmarshal(got.Line, &replies) != nil || len(replies) != 2 || string(replies[0].ID) != "902" || string(replies[1].ID) != `"p"` {
			t.Errorf("got %s", got.Line)
		}
		if err := c.End(); err != nil {
			t.Error(err)
		}
	})
}

// The same with a tmux that never says anything.
func TestATmuxThatHangsDoesNotStopTheReading(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is missing; this test needs it")
		}
		t.Skip("tmux is missing")
	}
	dir, err := os.MkdirTemp("", "planb-tmux-") // a socket's path may have at most 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "socket")
	server, err := net.Listen("unix", socket) // it never answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	env := func(name string) string {
		return map[string]string{"TMUX": socket + ",1,0", "TMUX_PANE": "%1"}[name]
	}
	opener, reason := pane.FromEnv(env)
	if opener == nil {
		t.Skip(reason)
	}
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener, cfg.Env = false, opener, env })
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	ids := askMany(c)
	c.Cancel(ids[0], ids[manyCalls-1])
	c.Request("ping", nil)
	// tmux is given up after a while, and the calls behind it get their turns.
	if asks, err := w.Store.Waiting(t.Context()); err != nil || len(asks) > manyCalls-16 {
		t.Errorf("%d calls were served before the ping, %v", len(asks), err)
	}
	if err := c.End(); err != nil {
		t.Error(err)
	}
	c.Unanswered(ids[0], ids[manyCalls-1])
}
