package known

import (
	"testing"
	"time"
)

func TestACallWaitsAsLongAsItsClient(t *testing.T) {
	for _, test := range []struct {
		client     string
		progressed bool
		want       time.Duration
	}{
		{"claude-code", true, 27 * time.Hour},
		{"claude-code", false, 28 * time.Minute},
		{"codex-mcp-client", true, 4*time.Minute + 40*time.Second},
		{"codex-mcp-client", false, 4*time.Minute + 40*time.Second},
		{"opencode", true, 0},
		{"opencode", false, 50 * time.Second},
		{"gemini-cli-mcp-client", false, 9*time.Minute + 30*time.Second},
		{"gemini-cli-mcp-client-planb", true, 9*time.Minute + 30*time.Second},
		{"goose", true, 4*time.Minute + 40*time.Second},
		{"crush", false, 0},
		{"Visual Studio Code", true, 0},
		{"Visual Studio Code - Insiders", false, 0},
		{"visual-studio-code", false, 0},
		{"crusher", true, 50 * time.Second},
		{"Zed", true, 50 * time.Second},
		{"claude-ai", true, 50 * time.Second},
		{"claude-ai (via mcp-remote 0.1.37)", true, 50 * time.Second},
		{"cursor-vscode", true, 50 * time.Second},
		{"somebody's own", true, 50 * time.Second},
		{"", false, 50 * time.Second},
	} {
		if got := BySelfName(test.client).CallTime(test.progressed); got != test.want {
			t.Errorf("a call of %q may wait %v (with progress: %v), want %v", test.client, got, test.progressed, test.want)
		}
	}
}

func TestResultLimit(t *testing.T) {
	for client, want := range map[string]int{
		"claude-code": 48_000, "opencode": 48_000, "codex-mcp-client": 9_500, "gemini-cli-mcp-client": 9_500,
		"claude-ai": 9_500, "somebody's own": 9_500, "": 9_500,
	} {
		if got := BySelfName(client).ResultLimit(false); got != want {
			t.Errorf("a result for %q may have %d characters, want %d", client, got, want)
		}
		if got := BySelfName(client).ResultLimit(true); got != 9_500 {
			t.Errorf("an error for %q may have %d characters, want 9500", client, got)
		}
	}
}

func TestNoCallWaitsLongerThanItsClient(t *testing.T) {
	for _, c := range All() {
		with, without := c.CallTime(true), c.CallTime(false)
		if with != 0 && (without == 0 || without > with) {
			t.Errorf("%s: a call without progress waits %v, one with it %v", c.Title, without, with)
		}
		if c.DefaultLimit != 0 && (without == 0 || without >= c.DefaultLimit || !c.Progress && with >= c.DefaultLimit) {
			t.Errorf("%s gives a call up after %v; planb has it wait %v, and %v with progress", c.Title, c.DefaultLimit, without, with)
		}
	}
}
