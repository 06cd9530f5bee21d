package mcp

import (
	"testing"
	"time"
)

func TestSoftLimit(t *testing.T) {
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
		if got := softLimit(test.client, test.progressed); got != test.want {
			t.Errorf("softLimit(%q, %v) = %v, want %v", test.client, test.progressed, got, test.want)
		}
	}
}

func TestResultLimit(t *testing.T) {
	for client, want := range map[string]int{
		"claude-code": 48_000, "opencode": 48_000, "codex-mcp-client": 9_500, "gemini-cli-mcp-client": 9_500,
		"claude-ai": 9_500, "somebody's own": 9_500, "": 9_500,
	} {
		if got := resultLimit(client, false); got != want {
			t.Errorf("a result for %q may have %d characters, want %d", client, got, want)
		}
		if got := resultLimit(client, true); got != 9_500 {
			t.Errorf("an error for %q may have %d characters, want 9500", client, got)
		}
	}
}

func TestNoSoftLimitIsAboveAClientsOwn(t *testing.T) {
	for _, known := range clientLimits() {
		if known.silent == 0 && known.progressed != 0 {
			t.Errorf("%s: a call without progress waits longer than one with it", known.name)
		}
		if known.progressed != 0 && known.silent > known.progressed {
			t.Errorf("%s: %v without progress, %v with it", known.name, known.silent, known.progressed)
		}
	}
}
