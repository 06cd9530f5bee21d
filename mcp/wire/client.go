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

// read returns a field of what the client said.
func read[T any](s *client, field *T) T {
	s.state.Lock()
	defer s.state.Unlock()
	return *field
}

// write keeps a field of what the client said.
func write[T any](s *client, field *T, value T) {
	s.state.Lock()
	defer s.state.Unlock()
	*field = value
}

// Initialize marks the client as ready.
func (s *client) Initialize() { write(s, &s.state.initialized, true) }

// Initialized reports whether the client is ready.
func (s *client) Initialized() bool { return read(s, &s.state.initialized) }

// NotificationChannel is nil: this server's notifications are written by the
// loop itself, and sending to a nil channel is refused, not waited for.
func (s *client) NotificationChannel() chan<- sdk.JSONRPCNotification { return nil }

// SessionID names the connection; there is one to a process.
func (s *client) SessionID() string { return "stdio" }

// GetClientInfo returns the client's name and version.
func (s *client) GetClientInfo() sdk.Implementation { return read(s, &s.state.info) }

// SetClientInfo keeps the client's name and version.
func (s *client) SetClientInfo(info sdk.Implementation) { write(s, &s.state.info, info) }

// GetClientCapabilities returns what the client declared it can do.
func (s *client) GetClientCapabilities() sdk.ClientCapabilities {
	return read(s, &s.state.capabilities)
}

// SetClientCapabilities keeps what the client declared it can do.
func (s *client) SetClientCapabilities(capabilities sdk.ClientCapabilities) {
	write(s, &s.state.capabilities, capabilities)
}

// SetProtocolVersion keeps the protocol's version that initialize agreed on.
func (s *client) SetProtocolVersion(version string) { write(s, &s.state.version, version) }

// protocolVersion is empty before initialize, and for clients that name their version
// with every request.
func (s *client) protocolVersion() string { return read(s, &s.state.version) }

// SetLogLevel keeps the level of a logging/setLevel request.
func (s *client) SetLogLevel(level sdk.LoggingLevel) { write(s, &s.state.level, level) }

// GetLogLevel returns the level last set.
func (s *client) GetLogLevel() sdk.LoggingLevel { return read(s, &s.state.level) }
