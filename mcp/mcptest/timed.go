package mcptest

import (
	"testing"
	"testing/synctest"
	"time"
)

// Timed runs a test on a clock that jumps to the next thing to happen.
func Timed(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// CallTool starts a tool with a progress token, or without one if it is nil.
func (c *Client) CallTool(name string, args any, token any) string {
	c.T.Helper()
	params := map[string]any{"name": name, "arguments": args}
	if token != nil {
		params["_meta"] = map[string]any{"progressToken": token}
	}
	return c.Start("tools/call", params)
}

// Later waits for a reply on a clock that costs nothing, and returns how long it took.
func (c *Client) Later(id string) (Answer, time.Duration) {
	c.T.Helper()
	start := time.Now()
	got := c.Decode(<-c.Expect(id))
	return got, time.Since(start).Round(time.Second)
}
