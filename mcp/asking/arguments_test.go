package asking_test

import (
	"strings"
	"testing"

	"planb/mcp/mcptest"
)

func TestArgumentsThatAreNoObjectAreSaidOnce(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.Initialize("test")
	for tool, want := range map[string]string{
		"ask_user": "sessionId is missing: pass the id that init_planb_session returned; call that first, once.\n" +
			`got "just a text"; allowed: a JSON object with title and questions; example: `,
		"save_plan": `The arguments must be a JSON object; got just a text.` + "\n" +
			"sessionId is missing: pass the id that init_planb_session returned; call that first, once.\n",
	} {
		got := c.Tool(tool, "just a text")
		if !got.IsError || !strings.HasPrefix(got.Text(), want) || strings.Count(got.Text(), "JSON object") != 1 {
			t.Errorf("%s gave %q, want it to begin with %q", tool, got.Text(), want)
		}
	}
}
