package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/questions/safe"
	"planb/store"
)

// clientSession is what a client said about itself, in the form the protocol
// library wants it. In the era of initialize it is said once, later with every
// request.
type clientSession struct {
	state struct {
		sync.Mutex
		initialized  bool
		info         sdk.Implementation
		capabilities sdk.ClientCapabilities
		level        sdk.LoggingLevel
		version      string          // of the protocol, that initialize agreed on
		sessions     []string        // in the order of their last use
		chosen       []string        // those among them that the client began, or named
		made         map[string]bool // those that it began
		roots        []string
		rooted       bool // the roots are known
	}
}

var (
	_ server.SessionWithClientInfo = (*clientSession)(nil)
	_ server.SessionWithLogging    = (*clientSession)(nil)
)

// Initialize marks the client as ready.
func (s *clientSession) Initialize() {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.initialized = true
}

// Initialized reports whether the client is ready.
func (s *clientSession) Initialized() bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.initialized
}

// NotificationChannel is nil: this server's notifications are written by the
// loop itself, and sending to a nil channel is refused, not waited for.
func (s *clientSession) NotificationChannel() chan<- sdk.JSONRPCNotification { return nil }

// SessionID names the connection; there is one to a process.
func (s *clientSession) SessionID() string { return "stdio" }

// GetClientInfo returns the client's name and version.
func (s *clientSession) GetClientInfo() sdk.Implementation {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.info
}

// SetClientInfo keeps the client's name and version.
func (s *clientSession) SetClientInfo(info sdk.Implementation) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.info = info
}

// GetClientCapabilities returns what the client declared it can do.
func (s *clientSession) GetClientCapabilities() sdk.ClientCapabilities {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.capabilities
}

// SetClientCapabilities keeps what the client declared it can do.
func (s *clientSession) SetClientCapabilities(capabilities sdk.ClientCapabilities) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.capabilities = capabilities
}

// SetProtocolVersion keeps the protocol's version that initialize agreed on.
func (s *clientSession) SetProtocolVersion(version string) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.version = version
}

// protocolVersion is empty before initialize, and for clients that name their version
// with every request.
func (s *clientSession) protocolVersion() string {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.version
}

// SetLogLevel keeps the level of a logging/setLevel request.
func (s *clientSession) SetLogLevel(level sdk.LoggingLevel) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.level = level
}

// GetLogLevel returns the level last set.
func (s *clientSession) GetLogLevel() sdk.LoggingLevel {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.level
}

// maxUsedSessions is how many planb sessions of a client are remembered; those
// it used before are found by their ids alone.
const maxUsedSessions = 32

// useSession remembers a planb session the client works with.
func (s *clientSession) useSession(id string) {
	s.state.Lock()
	defer s.state.Unlock()
	used := append(slices.DeleteFunc(s.state.sessions, func(other string) bool { return other == id }), id)
	s.state.sessions = used[max(0, len(used)-maxUsedSessions):]
}

// usedSessions returns the planb sessions the client works with, the one it used
// last first.
func (s *clientSession) usedSessions() []string {
	s.state.Lock()
	defer s.state.Unlock()
	used := slices.Clone(s.state.sessions)
	slices.Reverse(used)
	return used
}

// chooseSession remembers that the client began a planb session, or named it: what
// names none may belong there.
func (s *clientSession) chooseSession(id string) {
	s.state.Lock()
	defer s.state.Unlock()
	if !slices.Contains(s.state.chosen, id) {
		s.state.chosen = append(s.state.chosen, id)
	}
}

// makeSession remembers that the client began a planb session.
func (s *clientSession) makeSession(id string) {
	s.useSession(id)
	s.chooseSession(id)
	s.state.Lock()
	defer s.state.Unlock()
	if s.state.made == nil {
		s.state.made = map[string]bool{}
	}
	s.state.made[id] = true
}

func (s *clientSession) madeSession(id string) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.made[id]
}

func (s *clientSession) choseSession(id string) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Contains(s.state.chosen, id)
}

// chosenSessions returns the planb sessions that the client began or named.
func (s *clientSession) chosenSessions() []string {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.state.chosen)
}

// client names who made the request.
func (c *conn) client(ctx context.Context) store.Client {
	info := c.GetClientInfo()
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.ClientInfo != nil {
		info = *request.ClientInfo
	}
	return store.Client{Name: safe.New(info.Name), Title: safe.New(info.Title), Version: safe.New(info.Version)}
}

// rootsTime is how long a client may take to name its roots before the
// question is let go.
const rootsTime = 2 * time.Second

// roots are the client's root directories. It is asked for them once, and again
// after it said that they changed.
func (c *conn) roots(ctx context.Context) []string {
	c.state.Lock()
	roots, known := c.state.roots, c.state.rooted
	c.state.Unlock()
	if known {
		return roots
	}
	roots = c.askRoots(ctx)
	c.state.Lock()
	defer c.state.Unlock()
	c.state.roots, c.state.rooted = roots, ctx.Err() == nil
	return roots
}

// rootsChanged has the client asked again.
func (c *conn) rootsChanged() {
	c.state.Lock()
	defer c.state.Unlock()
	c.state.rooted = false
}

// askRoots asks the client for its root directories; there are none where it does
// not declare the capability, or does not answer in time. Protocol versions from
// 2026-07-28 on let no server ask.
func (c *conn) askRoots(ctx context.Context) (roots []string) {
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.Modern {
		return nil
	}
	if c.GetClientCapabilities().Roots == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	raw, err := c.ask(ctx, string(sdk.MethodListRoots), nil)
	if err != nil {
		c.server.log.Warn("the client did not name its roots", "error", err)
		return nil
	}
	var listed struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if err := json.Unmarshal(raw, &listed); err != nil {
		c.server.log.Warn("the client's roots could not be read", "error", err)
		return nil
	}
	for _, root := range listed.Roots {
		if path := pathOf(root.URI); path != "" {
			roots = append(roots, path)
		}
	}
	return roots
}

// pathOf returns the absolute path a file URI names, else "".
func pathOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" {
		return ""
	}
	path := parsed.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // file:///C:/dir
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}
