// Package known is the one table of what is known of MCP clients: what each is
// called, how long it lets a call take, how much of a result its model sees, and
// which variables one that clears the environment must pass on. A client that is
// in no row is taken for the least patient one.
//
// How a client is told of planb, and in which file, is said in setup/clients.
// Begin to read at All; a new client is a row there.
package known

import (
	"slices"
	"strings"
	"time"
)

// Client is what is known of one client.
type Client struct {
	Name  string // what planb setup calls it
	Title string // what people call it
	// SelfName is how the name begins that the client gives itself in the
	// protocol, in lower case; there a dash is as good as a space.
	SelfName string
	// DefaultLimit is how long the client lets a call take where its configuration
	// says nothing; 0 is as long as it takes.
	DefaultLimit time.Duration
	// Progress says that each sign of progress lets a call take as long again.
	Progress bool

	// How long a call waits for a person before it returns with what it has: less
	// than the limits of the client, so that the reply still arrives. 0 is no limit.
	wait       time.Duration
	silentWait time.Duration // of a request without a progress token
	result     int           // bytes of JSON that a result may have
}

// unknownWait is how long a call waits where nothing better is known: the shortest
// limit found among clients is 60 s.
const unknownWait = 50 * time.Second

// How long the texts of a result may be, as JSON. Codex shows its model some
// 10,000 characters and takes the middle out of what is longer; so does Claude
// Code with errors. A client that is not known may cut as well.
const (
	shortResult = 9_500
	longResult  = 48_000 // of the 50,000 that Claude Code and opencode show
)

// All lists the clients. The limits were found by running them, or in their
// sources and documents, in November 2026. Each is the client's default; its user
// may have set another, for which there is the --wait flag.
func All() []Client {
	const (
		ofCodex  = 4*time.Minute + 40*time.Second // of 300 s, which nothing extends
		ofGemini = 9*time.Minute + 30*time.Second // of 10 min, which nothing extends
	)
	return []Client{
		// Some 28 h at most, and 30 min without progress.
		{"claude", "Claude Code", "claude-code", 100_000 * time.Second, false, 27 * time.Hour, 28 * time.Minute, longResult},
		{"codex", "Codex", "codex", 300 * time.Second, false, ofCodex, ofCodex, shortResult},
		{"opencode", "opencode", "opencode", time.Minute, true, 0, unknownWait, longResult},
		{"gemini", "Gemini CLI", "gemini", 10 * time.Minute, false, ofGemini, ofGemini, shortResult},
		{"cursor", "Cursor", "cursor", time.Minute, false, unknownWait, unknownWait, shortResult},
		{"vscode", "VS Code", "visual studio code", 0, false, 0, 0, shortResult},
		{"zed", "Zed", "zed", time.Minute, false, unknownWait, unknownWait, shortResult},
		{"crush", "Crush", "crush", 0, false, 0, 0, shortResult},
		{"goose", "Goose", "goose", 300 * time.Second, false, ofCodex, ofCodex, shortResult},
		{"claude-desktop", "Claude Desktop", "claude-ai", time.Minute, false, unknownWait, unknownWait, shortResult},
	}
}

// ByName finds the client that planb setup calls so.
func ByName(name string) (Client, bool) {
	all := All()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name }); i >= 0 {
		return all[i], true
	}
	return Client{}, false
}

// BySelfName is what is known of the client that gives itself that name in the
// protocol. Of an unknown one it has nothing but the least patience there is.
func BySelfName(name string) Client {
	name = strings.ReplaceAll(strings.ToLower(name), "-", " ")
	for _, c := range All() {
		rest, ok := strings.CutPrefix(name, strings.ReplaceAll(c.SelfName, "-", " "))
		if ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return c
		}
	}
	return Client{wait: unknownWait, silentWait: unknownWait, result: shortResult}
}

// CallTime is how long a call may wait for a person before it must return with
// what it has; 0 is no limit. That a request carries a progress token does not
// show that progress extends anything: the TypeScript SDK sends one and ignores
// what comes back unless it is told otherwise.
func (c Client) CallTime(progressed bool) time.Duration {
	if progressed {
		return c.wait
	}
	return c.silentWait
}

// ResultLimit is how many bytes the texts of one result may have, as JSON.
func (c Client) ResultLimit(isError bool) int {
	if isError {
		return shortResult
	}
	return c.result
}
