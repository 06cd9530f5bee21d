package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/pane"
)

// hangingOpener says where forms belong only after its release.
type hangingOpener struct {
	screen
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
		return h.screen.Place(ctx)
	case <-gaveUp:
		return "", ctx.Err()
	}
}

// manyCalls is more calls than have room to be worked on at once.
const manyCalls = 40

// askMany starts that many asks, in sessions enough for them, without waiting for any.
func askMany(c *client) (ids []string) {
	c.t.Helper()
	sessions := []string{c.session(), c.session(), c.session()}
	for i := range manyCalls {
		ids = append(ids, c.startTool("ask_user", titled(sessions[i%len(sessions)], fmt.Sprint("Question ", i))))
	}
	return ids
}

func (c *client) cancel(ids ...string) {
	c.t.Helper()
	for _, id := range ids {
		c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	}
}

// unanswered fails the test if one of the requests has a reply.
func (c *client) unanswered(ids ...string) {
	c.t.Helper()
	for _, id := range ids {
		select {
		case got := <-c.expect(id):
			c.t.Errorf("the cancelled request %s was answered: %s", id, got.line)
		default:
		}
	}
}

// While every call that is worked on hangs: a ping is answered, a call is cancelled
// whether it hangs or has not been begun, and the end of the input is the end.
func TestCallsThatHangDoNotStopTheReading(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		timed(t, fmt.Sprint("the opener hears nothing: ", deaf), func(t *testing.T) {
			opener := &hangingOpener{released: make(chan struct{}), deaf: deaf}
			defer close(opener.released)
			w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, opener })
			c := connect(t, w.Server)
			c.initialize("test")
			begun := time.Now()
			ids := askMany(c)
			c.request("ping", nil)
			cancelled := []string{ids[0], ids[15], ids[16], ids[manyCalls-1]}
			c.cancel(cancelled...)
			c.request("ping", nil)
			if took := time.Since(begun); took > 0 {
				t.Errorf("pings and cancellations waited for %v", took)
			}
			if err := c.end(); err != nil {
				t.Error(err)
			}
			if took := time.Since(begun); took > 2*time.Second {
				t.Errorf("the server took %v to return", took)
			}
			c.unanswered(cancelled...)
		})
	}
}

// What waits for room is served when there is some; what was cancelled before is not,
// also in a batch.
func TestWhatWaitsForRoomIsServedUnlessCancelled(t *testing.T) {
	timed(t, "of one line each", func(t *testing.T) {
		opener := &hangingOpener{released: make(chan struct{})}
		w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, opener })
		show, leave := w.serve(t, "window-1")
		defer leave()
		opener.shows = show
		c := connect(t, w.Server)
		c.initialize("test")
		ids := askMany(c)
		c.cancel(ids[20:30]...)
		c.request("ping", nil)
		close(opener.released)
		asks := w.opened(manyCalls - 10)
		for _, ask := range asks {
			for i := 20; i < 30; i++ {
				if ask.Spec.Title.Raw() == fmt.Sprint("Question ", i) {
					t.Errorf("%q was asked after its cancellation", ask.Spec.Title.Raw())
				}
			}
		}
		if err := c.end(); err != nil {
			t.Error(err)
		}
		c.unanswered(ids[20:30]...)
		for _, id := range append(ids[:20:20], ids[30:]...) {
			c.answer(id)
		}
	})
	timed(t, "of a batch", func(t *testing.T) {
		opener := &hangingOpener{released: make(chan struct{})}
		w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, opener })
		show, leave := w.serve(t, "window-1")
		defer leave()
		opener.shows = show
		c := connect(t, w.Server)
		c.initializeWith("2025-03-26")
		session := c.session()
		askMany(c)
		plan := func(id string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"save_plan","arguments":{"sessionId":%q,"plan":"# Plan %s"}}}`,
				id, session, id)
		}
		c.write("[" + plan("901") + "," + plan("902") + "," + ping + "]\n")
		c.cancel("901")
		c.request("ping", nil)
		close(opener.released)
		var replies []message
		if got := c.reply("batch"); json.Unmarshal(got.line, &replies) != nil || len(replies) != 2 || string(replies[0].ID) != "902" || string(replies[1].ID) != `"p"` {
			t.Errorf("got %s", got.line)
		}
		if err := c.end(); err != nil {
			t.Error(err)
		}
	})
}

// The same with a tmux that never says anything.
func TestATmuxThatHangsDoesNotStopTheReading(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte("#!/bin/sh\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	env := func(name string) string {
		return map[string]string{"TMUX": filepath.Join(dir, "socket") + ",1,0", "TMUX_PANE": "%1"}[name]
	}
	opener, reason := pane.FromEnv(env)
	if opener == nil {
		t.Skip(reason)
	}
	w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener, cfg.Env = false, opener, env })
	c := connect(t, w.Server)
	c.initialize("test")
	ids := askMany(c)
	c.cancel(ids[0], ids[manyCalls-1])
	c.request("ping", nil)
	// tmux is given up after a while, and the calls behind it get their turns.
	if asks, err := w.store.Waiting(t.Context()); err != nil || len(asks) > manyCalls-16 {
		t.Errorf("%d calls were served before the ping, %v", len(asks), err)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
	c.unanswered(ids[0], ids[manyCalls-1])
}
