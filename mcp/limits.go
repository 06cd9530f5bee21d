package mcp

import (
	"strings"
	"time"
)

// unknownLimit is how long a call waits for a person when nothing better is
// known of its client: the shortest limit found among clients is 60 s.
const unknownLimit = 50 * time.Second

// clientLimit is how long one client lets a call wait, less a margin in which
// the reply still arrives. Zero is no limit.
type clientLimit struct {
	name       string // the first words of the name the client gives itself, lower case; a dash is as good as a space
	progressed time.Duration
	silent     time.Duration // of a call without a progress token
}

// clientLimits lists what was found by running the clients, or in their
// sources and documents, in November 2026. A limit is the client's default;
// its user may have set another, for which there is the --wait flag.
func clientLimits() []clientLimit {
	const (
		codex  = 4*time.Minute + 40*time.Second // tool_timeout_sec 300, nothing extends it
		gemini = 9*time.Minute + 30*time.Second // 10 min, nothing extends it
		goose  = codex                          // 300 s
	)
	return []clientLimit{
		// About 28 h at most, and 30 min without progress.
		{name: "claude-code", progressed: 27 * time.Hour, silent: 28 * time.Minute},
		{name: "codex", progressed: codex, silent: codex},
		// 60 s, started anew by progress.
		{name: "opencode", progressed: 0, silent: unknownLimit},
		{name: "gemini", progressed: gemini, silent: gemini},
		{name: "goose", progressed: goose, silent: goose},
		{name: "crush", progressed: 0, silent: 0},
		{name: "visual studio code", progressed: 0, silent: 0},
		{name: "zed", progressed: unknownLimit, silent: unknownLimit},
		{name: "claude-ai", progressed: unknownLimit, silent: unknownLimit}, // Claude Desktop
		{name: "cursor", progressed: unknownLimit, silent: unknownLimit},
	}
}

// softLimit returns how long a call of that client may wait before it must
// return with what it has; 0 is no limit. That a request carries a progress
// token does not show that progress extends anything: the TypeScript SDK sends
// one and ignores what comes back unless it is told otherwise.
func softLimit(client string, progressed bool) time.Duration {
	client = strings.ReplaceAll(strings.ToLower(client), "-", " ")
	for _, known := range clientLimits() {
		rest, ok := strings.CutPrefix(client, strings.ReplaceAll(known.name, "-", " "))
		if !ok || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
			continue
		}
		if progressed {
			return known.progressed
		}
		return known.silent
	}
	return unknownLimit
}
