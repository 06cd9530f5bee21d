package mcp_test

import (
	"strings"
	"testing"
)

func TestArgumentsThatAreNoObjectAreSaidOnce(t *testing.T) {
	c := connect(t, newWorld(t, nil).Server)
	c.initialize("test")
	for tool, want := range map[string]string{
		"ask_user": "sessionId is missing: pass the id that init_planb_session returned; call that first, once.\n" +
			`got "just a text"; allowed: a JSON object with title and questions; example: `,
		"save_plan": `The arguments must be a JSON object; got just a text.` + "\n" +
			"sessionId is missing: pass the id that init_planb_session returned; call that first, once.\n",
	} {
		got := c.tool(tool, "just a text")
		if !got.IsError || !strings.HasPrefix(got.text(), want) || strings.Count(got.text(), "JSON object") != 1 {
			t.Errorf("%s gave %q, want it to begin with %q", tool, got.text(), want)
		}
	}
}
