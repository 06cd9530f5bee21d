package mcp_test

import (
	"testing"
	"time"
)

// rooted connects a client that has roots.
func rooted(t *testing.T) *client {
	t.Helper()
	c := connect(t, newWorld(t, nil).Server)
	c.initializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
	return c
}

const harbourRoot = `{"roots":[{"uri":"file:///srv/harbour"}]}`

func TestRequestsToFollowDoNotKeepTheRootsFromBeingRead(t *testing.T) {
	timed(t, "40 at once", func(t *testing.T) {
		c := rooted(t)
		begun, asked := time.Now(), 0
		go func() {
			for {
				select {
				case question := <-c.asks:
					asked++
					go c.respond(question.ID, harbourRoot) // it goes on reading
				case <-t.Context().Done():
					return
				}
			}
		}()
		var ids []string
		for range 40 {
			ids = append(ids, c.start("resources/subscribe", map[string]any{"uri": "planb://sessions"}))
		}
		for _, id := range ids {
			if got := c.reply(id); got.Error != nil {
				t.Errorf("it cannot be followed: %s", got.Error.Message)
			}
		}
		if got := c.tool("init_planb_session", nil); got.data["projectPath"] != "/srv/harbour" {
			t.Errorf("the project is %v", got.data["projectPath"])
		}
		if took := time.Since(begun); took > time.Second || asked != 1 {
			t.Errorf("it took %v, and the client was asked %d times", took, asked)
		}
	})
}

func TestLateRootsCountForWhatFollows(t *testing.T) {
	timed(t, "after 2.5 seconds", func(t *testing.T) {
		c := rooted(t)
		call := c.startTool("init_planb_session", nil)
		asked := <-c.asks
		time.Sleep(2200 * time.Millisecond)
		if got := c.answer(call); got.data["projectPath"] != "/srv/project" {
			t.Errorf("before the roots came the project is %v", got.data["projectPath"])
		}
		begun := time.Now()
		c.tool("init_planb_session", nil)
		if took := time.Since(begun); took > 0 {
			t.Errorf("a client that is late already was waited for again, %v", took)
		}
		time.Sleep(300 * time.Millisecond)
		c.respond(asked.ID, harbourRoot)
		time.Sleep(time.Millisecond)
		if got := c.tool("init_planb_session", nil); got.data["projectPath"] != "/srv/harbour" {
			t.Errorf("after the roots came the project is %v", got.data["projectPath"])
		}
	})
}

func TestRootsThatChangeDuringTheQuestionAreAskedForAgain(t *testing.T) {
	timed(t, "before the reply", func(t *testing.T) {
		c := rooted(t)
		first := c.startTool("init_planb_session", nil)
		asked := <-c.asks
		c.notify("notifications/roots/list_changed", nil)
		c.respond(asked.ID, `{"roots":[{"uri":"file:///srv/old"}]}`)
		go func() { // the first call may need the new roots, too
			for {
				select {
				case again := <-c.asks:
					go c.respond(again.ID, harbourRoot)
				case <-t.Context().Done():
					return
				}
			}
		}()
		c.answer(first)
		if got := c.tool("init_planb_session", nil); got.data["projectPath"] != "/srv/harbour" {
			t.Errorf("the project is %v", got.data["projectPath"])
		}
	})
}

// A request before initialize, when nothing is known of the client, decides nothing.
func TestRootsAreAskedForAfterARequestThatCameTooEarly(t *testing.T) {
	timed(t, "before initialize", func(t *testing.T) {
		c := connect(t, newWorld(t, nil).Server)
		c.request("resources/read", map[string]any{"uri": "planb://sessions"})
		c.initializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
		call := c.startTool("init_planb_session", nil)
		time.Sleep(time.Millisecond)
		if len(c.asks) == 0 {
			t.Fatal("the client is not asked for its roots")
		}
		c.respond((<-c.asks).ID, harbourRoot)
		if got := c.answer(call); got.data["projectPath"] != "/srv/harbour" {
			t.Errorf("the project is %v", got.data["projectPath"])
		}
	})
}
