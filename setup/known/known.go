// Package known is the one table about MCP clients: each client's names, how
// long it lets a call run, how much of a result its model sees, and which
// variables a client with an environment of its own must pass on. A client
// without a row is treated as the least patient one.
//
// How planb is registered with a client, and in which file, is in
// setup/clients. Begin to read at All; a new client is a row there.
package known

import (
	"slices"
	"strings"
	"time"
)

// Client is one row of the table.
type Client struct {
	Name  string // for planb setup
	Title string // for people
	// SelfName is how the client's name in the protocol begins, in lower case.
	// A dash matches a space.
	SelfName string
	// DefaultLimit is how long the client lets a call run by default; 0 is
	// without limit.
	DefaultLimit time.Duration
	// Progress says that each progress notification restarts the limit.
	Progress bool

	// How long a call waits for a person before it returns without an answer.
	// It is below the client's limit, so that the reply still arrives. 0 is no
	// limit.
	wait       time.Duration
	silentWait time.Duration // for a request without a progress token
	result     int           // bytes of JSON that a result may have
}

const (
	// minuteWait is how long a call waits if its client lets it run for 60 s.
	minuteWait = 50 * time.Second
	// unknownWait is how long a call waits if its client is unknown: 60 s is the
	// shortest limit found among clients.
	unknownWait = minuteWait
)

// Limits for the texts of a result, in bytes of JSON. Codex shows its model
// about 10,000 characters and cuts the middle out of longer results; Claude
// Code does so with errors. An unknown client may cut as well.
const (
	shortResult = 9_500
	longResult  = 48_000 // of the 50,000 that Claude Code and opencode show
)

// All lists the clients. The limits are from running the clients, or from their
// sources and documents, in November 2026. Each is the client's default. A user
// who has set another one uses the flag --wait.
func All() []Client {
	const (
		codexWait  = 4*time.Minute + 40*time.Second // of 300 s, which nothing extends
		geminiWait = 9*time.Minute + 30*time.Second // of 10 min, which nothing extends
	)
	return []Client{
		{
			Name: "claude", Title: "Claude Code", SelfName: "claude-code",
			DefaultLimit: 100_000 * time.Second, // about 28 h, and 30 min without progress
			wait:         27 * time.Hour, silentWait: 28 * time.Minute, result: longResult,
		},
		{
			Name: "codex", Title: "Codex", SelfName: "codex",
			DefaultLimit: 300 * time.Second, wait: codexWait, silentWait: codexWait, result: shortResult,
		},
		{
			Name: "opencode", Title: "opencode", SelfName: "opencode",
			DefaultLimit: time.Minute, Progress: true, wait: 0, silentWait: minuteWait, result: longResult,
		},
		{
			Name: "gemini", Title: "Gemini CLI", SelfName: "gemini",
			DefaultLimit: 10 * time.Minute, wait: geminiWait, silentWait: geminiWait, result: shortResult,
		},
		{
			Name: "cursor", Title: "Cursor", SelfName: "cursor",
			DefaultLimit: time.Minute, wait: minuteWait, silentWait: minuteWait, result: shortResult,
		},
		{
			Name: "vscode", Title: "VS Code", SelfName: "visual studio code",
			DefaultLimit: 0, wait: 0, silentWait: 0, result: shortResult,
		},
		{
			Name: "zed", Title: "Zed", SelfName: "zed",
			DefaultLimit: time.Minute, wait: minuteWait, silentWait: minuteWait, result: shortResult,
		},
		{
			Name: "crush", Title: "Crush", SelfName: "crush",
			DefaultLimit: 0, wait: 0, silentWait: 0, result: shortResult,
		},
		{
			Name: "goose", Title: "Goose", SelfName: "goose",
			DefaultLimit: 300 * time.Second, wait: codexWait, silentWait: codexWait, result: shortResult,
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", SelfName: "claude-ai",
			DefaultLimit: time.Minute, wait: minuteWait, silentWait: minuteWait, result: shortResult,
		},
	}
}

// ByName finds a client by its name for planb setup.
func ByName(name string) (Client, bool) {
	all := All()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name }); i >= 0 {
		return all[i], true
	}
	return Client{}, false
}

// BySelfName finds a client by its name in the protocol. For an unknown one it
// returns a row with the least patience.
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

// CallTime returns how long a call may wait for a person before it must return;
// 0 is no limit. A progress token in the request (progressed) is no proof that
// progress extends the client's limit: the TypeScript SDK sends a token and
// ignores the progress unless told otherwise.
func (c Client) CallTime(progressed bool) time.Duration {
	if progressed {
		return c.wait
	}
	return c.silentWait
}

// ResultLimit returns how many bytes of JSON the texts of one result may have.
func (c Client) ResultLimit(isError bool) int {
	if isError {
		return shortResult
	}
	return c.result
}
