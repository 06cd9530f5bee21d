package agent_test

import (
	"testing"
	"time"

	"planb/mcp/mcptest"
)

// rooted connects a client that has roots.
func rooted(t *testing.T) *mcptest.Client {
	t.Helper()
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.InitializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
	return c
}

const harbourRoot = `{"roots":[{"uri":"file:///srv/harbour"}]}`

func TestRequestsToFollowDoNotKeepTheRootsFromBeingRead(t *testing.T) {
	mcptest.Timed(t, "40 at once", func(t *testing.T) {
		c := rooted(t)
		begun, asked := time.Now(), 0
		go func() {
			for {
				select {
				case question := <-c.Asks:
					asked++
					go c.Respond(question.ID, harbourRoot) // it goes on reading
				case <-t.Context().Done():
					return
				}
			}
		}()
		var ids []string
		for range 40 {
			ids = append(ids, c.Start("resources/subscribe", map[string]any{"uri": "planb://sessions"}))
		}
		for _, id := range ids {
			if got := c.Reply(id); got.Error != nil {
				t.Errorf("it cannot be followed: %s", got.Error.Message)
			}
		}
		if got := c.Tool("init_planb_session", nil); got.Data["projectPath"] != "/srv/harbour" {
			t.Errorf("the project is %v", got.Data["projectPath"])
		}
		if took := time.Since(begun); took > time.Second || asked != 1 {
			t.Errorf("it took %v, and the client was asked %d times", took, asked)
		}
	})
}

func TestLateRootsCountForWhatFollows(t *testing.T) {
	mcptest.Timed(t, "after 2.5 seconds", func(t *testing.T) {
		c := rooted(t)
		call := c.StartTool("init_planb_session", nil)
		asked := <-c.Asks
		time.Sleep(2200 * time.Millisecond)
		if got := c.Answer(call); got.Data["projectPath"] != "/srv/project" {
			t.Errorf("before the roots came the project is %v", got.Data["projectPath"])
		}
		begun := time.Now()
		c.Tool("init_planb_session", nil)
		if took := time.Since(begun); took > 0 {
			t.Errorf("a client that is late already was waited for again, %v", took)
		}
		time.Sleep(300 * time.Millisecond)
		c.Respond(asked.ID, harbourRoot)
		time.Sleep(time.Millisecond)
		if got := c.Tool("init_planb_session", nil); got.Data["projectPath"] != "/srv/harbour" {
			t.Errorf("after the roots came the project is %v", got.Data["projectPath"])
		}
	})
}

func TestRootsThatChangeDuringTheQuestionAreAskedForAgain(t *testing.T) {
	mcptest.Timed(t, "before the reply", func(t *testing.T) {
		c := rooted(t)
		first := c.StartTool("init_planb_session", nil)
		asked := <-c.Asks
		c.Notify("notifications/roots/list_changed", nil)
		c.Respond(asked.ID, `{"roots":[{"uri":"file:///srv/old"}]}`)
		go func() { // the first call may need the new roots, too
			for {
				select {
				case again := <-c.Asks:
					go c.Respond(again.ID, harbourRoot)
				case <-t.Context().Done():
					return
				}
			}
		}()
		c.Answer(first)
		if got := c.Tool("init_planb_session", nil); got.Data["projectPath"] != "/srv/harbour" {
			t.Errorf("the project is %v", got.Data["projectPath"])
		}
	})
}

// A request before initialize, when nothing is known of the client, decides nothing.
func TestRootsAreAskedForAfterARequestThatCameTooEarly(t *testing.T) {
	mcptest.Timed(t, "before initialize", func(t *testing.T) {
		c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
		c.Request("resources/read", map[string]any{"uri": "planb://sessions"})
		c.InitializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
		call := c.StartTool("init_planb_session", nil)
		time.Sleep(time.Millisecond)
		if len(c.Asks) == 0 {
			t.Fatal("the client is not asked for its roots")
		}
		c.Respond((<-c.Asks).ID, harbourRoot)
		if got := c.Answer(call); got.Data["projectPath"] != "/srv/harbour" {
			t.Errorf("the project is %v", got.Data["projectPath"])
		}
	})
}
