package wire

import (
	"sync"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// client is what a client said about itself, in the form the protocol
// library wants it. In the era of initialize it is said once, later with every
// request.
type client struct {
	state struct {
		sync.Mutex
		initialized  bool
		info         sdk.Implementation
		capabilities sdk.ClientCapabilities
		level        sdk.LoggingLevel
		version      string // of the protocol, that initialize agreed on
	}
}

var (
	_ server.SessionWithClientInfo = (*client)(nil)
	_ server.SessionWithLogging    = (*client)(nil)
)

// Initialize marks the client as ready.
func (s *client) Initialize() {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.initialized = true
}

// Initialized reports whether the client is ready.
func (s *client) Initialized() bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.initialized
}

// NotificationChannel is nil: this server's notifications are written by the
// loop itself, and sending to a nil channel is refused, not waited for.
func (s *client) NotificationChannel() chan<- sdk.JSONRPCNotification { return nil }

// SessionID names the connection; there is one to a process.
func (s *client) SessionID() string { return "stdio" }

// GetClientInfo returns the client's name and version.
func (s *client) GetClientInfo() sdk.Implementation {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.info
}

// SetClientInfo keeps the client's name and version.
func (s *client) SetClientInfo(info sdk.Implementation) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.info = info
}

// GetClientCapabilities returns what the client declared it can do.
func (s *client) GetClientCapabilities() sdk.ClientCapabilities {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.capabilities
}

// SetClientCapabilities keeps what the client declared it can do.
func (s *client) SetClientCapabilities(capabilities sdk.ClientCapabilities) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.capabilities = capabilities
}

// SetProtocolVersion keeps the protocol's version that initialize agreed on.
func (s *client) SetProtocolVersion(version string) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.version = version
}

// protocolVersion is empty before initialize, and for clients that name their version
// with every request.
func (s *client) protocolVersion() string {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.version
}

// SetLogLevel keeps the level of a logging/setLevel request.
func (s *client) SetLogLevel(level sdk.LoggingLevel) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.level = level
}

// GetLogLevel returns the level last set.
func (s *client) GetLogLevel() sdk.LoggingLevel {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.level
}
