package mcp

import (
	"strings"
	"time"
)

// unknownLimit is how long a call waits for a person when nothing better is
// known of its client: the shortest limit found among clients is 60 s.
const unknownLimit = 50 * time.Second

// How long the texts of a result may be, as JSON. Codex shows its model some
// 10,000 characters and takes the middle out of what is longer; so does Claude
// Code with errors. What a client is not known to take may be cut as well.
const (
	unknownResult = 9_500
	longResult    = 48_000 // of the 50,000 that Claude Code and opencode show
	errorResult   = 9_500
)

// clientLimit is what one client lets a call do.
type clientLimit struct {
	name string // the first words of the name the client gives itself, lower case; a dash is as good as a space
	// How long it may wait, less a margin in which the reply still arrives. Zero is
	// no limit.
	progressed time.Duration
	silent     time.Duration // without a progress token
	result     int           // how long its result may be
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
		{"claude-code", 27 * time.Hour, 28 * time.Minute, longResult},
		{"codex", codex, codex, unknownResult},
		// 60 s, started anew by progress.
		{"opencode", 0, unknownLimit, longResult},
		{"gemini", gemini, gemini, unknownResult},
		{"goose", goose, goose, unknownResult},
		{"crush", 0, 0, unknownResult},
		{"visual studio code", 0, 0, unknownResult},
		{"zed", unknownLimit, unknownLimit, unknownResult},
		{"claude-ai", unknownLimit, unknownLimit, unknownResult}, // Claude Desktop
		{"cursor", unknownLimit, unknownLimit, unknownResult},
	}
}

// limitsOf are the limits of the client that calls itself so.
func limitsOf(client string) clientLimit {
	client = strings.ReplaceAll(strings.ToLower(client), "-", " ")
	for _, known := range clientLimits() {
		rest, ok := strings.CutPrefix(client, strings.ReplaceAll(known.name, "-", " "))
		if !ok || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
			continue
		}
		return known
	}
	return clientLimit{progressed: unknownLimit, silent: unknownLimit, result: unknownResult}
}

// softLimit returns how long a call of that client may wait before it must
// return with what it has; 0 is no limit. That a request carries a progress
// token does not show that progress extends anything: the TypeScript SDK sends
// one and ignores what comes back unless it is told otherwise.
func softLimit(client string, progressed bool) time.Duration {
	limits := limitsOf(client)
	if progressed {
		return limits.progressed
	}
	return limits.silent
}

// resultLimit returns how long the texts of one result may be for that client.
func resultLimit(client string, isError bool) int {
	if isError {
		return errorResult
	}
	return limitsOf(client).result
}
