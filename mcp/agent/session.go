package agent

import (
	"context"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/server"

	"planb/questions/safe"
	"planb/store"
)

// clientSessions are the planb sessions that a client works with, and the outcomes that it
// was told.
type clientSessions struct {
	state struct {
		sync.Mutex
		sessions []string        // in the order of their last use
		chosen   []string        // those among them that the client began, or named
		made     map[string]bool // those that it began
		answers  []string        // ids of asks whose outcome it was told, the latest last
	}
}

// maxUsedSessions is how many planb sessions of a client are remembered; those
// it used before are found by their ids alone.
const maxUsedSessions = 32

// UseSession remembers a planb session the client works with.
func (s *clientSessions) UseSession(id string) {
	s.state.Lock()
	defer s.state.Unlock()
	used := append(slices.DeleteFunc(s.state.sessions, func(other string) bool { return other == id }), id)
	s.state.sessions = used[max(0, len(used)-maxUsedSessions):]
}

// UsedSessions returns the planb sessions the client works with, the one it used
// last first.
func (s *clientSessions) UsedSessions() []string {
	s.state.Lock()
	defer s.state.Unlock()
	used := slices.Clone(s.state.sessions)
	slices.Reverse(used)
	return used
}

// ChooseSession remembers that the client began a planb session, or named it: a plan
// without a sessionId may join it.
func (s *clientSessions) ChooseSession(id string) {
	s.state.Lock()
	defer s.state.Unlock()
	if !slices.Contains(s.state.chosen, id) {
		s.state.chosen = append(s.state.chosen, id)
	}
}

// MakeSession remembers that the client began a planb session.
func (s *clientSessions) MakeSession(id string) {
	s.UseSession(id)
	s.ChooseSession(id)
	s.state.Lock()
	defer s.state.Unlock()
	if s.state.made == nil {
		s.state.made = map[string]bool{}
	}
	s.state.made[id] = true
}

// madeSession reports whether the client began the planb session.
func (s *clientSessions) madeSession(id string) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.made[id]
}

// ChoseSession reports whether the client began or named the planb session.
func (s *clientSessions) ChoseSession(id string) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Contains(s.state.chosen, id)
}

// ChosenSessions returns the planb sessions that the client began or named.
func (s *clientSessions) ChosenSessions() []string {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.state.chosen)
}

// maxHeard is how many asks are remembered whose outcome the client was told.
const maxHeard = 100

// Heard remembers that the client is told the outcomes of these asks.
func (s *clientSessions) Heard(askIDs ...string) {
	s.state.Lock()
	defer s.state.Unlock()
	all := append(s.state.answers, askIDs...)
	s.state.answers = slices.Clone(all[max(0, len(all)-maxHeard):])
}

// HeardOf returns the asks whose outcome the client was told, the latest last.
func (s *clientSessions) HeardOf() []string {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.state.answers)
}

// Client returns what the client of this request says of itself.
func (a *Agent) Client(ctx context.Context) store.Client {
	info := a.GetClientInfo()
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.ClientInfo != nil {
		info = *request.ClientInfo
	}
	return store.Client{Name: safe.New(info.Name), Title: safe.New(info.Title), Version: safe.New(info.Version)}
}

// Title is the name under which a person knows the client.
func Title(c store.Client) string {
	for _, name := range []safe.Text{c.Title, c.Name} {
		if !name.IsZero() {
			return name.Line()
		}
	}
	return "An agent"
}
