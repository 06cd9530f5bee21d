package mcp

import (
	"context"
	"slices"
	"sync"

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
		answers      []string        // ids of asks whose outcome it was told, the latest last
		roots        *rootsQuestion  // nil: the client is to be asked
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

// chooseSession remembers that the client began a planb session, or named it: a plan
// without a sessionId may join it.
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

// maxHeard is how many asks whose outcome the client was told are remembered.
const maxHeard = 100

// heard remembers that the client is told the outcomes of these asks.
func (s *clientSession) heard(askIDs ...string) {
	s.state.Lock()
	defer s.state.Unlock()
	all := append(s.state.answers, askIDs...)
	s.state.answers = slices.Clone(all[max(0, len(all)-maxHeard):])
}

// heardOf returns the asks whose outcome the client was told of late.
func (s *clientSession) heardOf() []string {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.state.answers)
}

// client names who made the request.
func (c *conn) client(ctx context.Context) store.Client {
	info := c.GetClientInfo()
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.ClientInfo != nil {
		info = *request.ClientInfo
	}
	return store.Client{Name: safe.New(info.Name), Title: safe.New(info.Title), Version: safe.New(info.Version)}
}
