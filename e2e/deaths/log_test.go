package deaths_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/e2e/rig"
)

// The log's size is limited while servers run, not only when they start.
func TestTheLogIsBoundedWhileServersRun(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	log := filepath.Join(state, "planb", "planb.log")
	var agents []*rig.Agent
	for range 2 {
		agents = append(agents, rig.StartAgent(t, t.TempDir(), []string{"XDG_STATE_HOME=" + state}, "--prompt-file", "none.md"))
	}
	warn := func(a *rig.Agent) {
		t.Helper()
		if _, err := a.Client.GetPrompt(t.Context(), sdk.GetPromptRequest{Params: sdk.GetPromptParams{Name: "plan"}}); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 3 {
		full := bytes.Repeat(fmt.Appendf(nil, "round %d\n", round), 1<<20/8)
		if err := os.WriteFile(log, full, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, a := range agents {
			warn(a)
		}
		rig.Until(t, "the full log is set aside", func() bool {
			aside, err := os.ReadFile(log + ".1")
			return err == nil && bytes.HasPrefix(aside, full[:8])
		})
		rig.Until(t, "both servers write to the new one", func() bool {
			text, err := os.ReadFile(log)
			return err == nil && bytes.Count(text, []byte("the prompt file cannot be used")) == len(agents) && len(text) < 1<<16
		})
	}
}
