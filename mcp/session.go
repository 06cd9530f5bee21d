package mcp

import (
	"context"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/server"

	"planb/questions/safe"
	"planb/store"
)

// clientSessions are the planb sessions that a client works with, and what it was
// told of them.
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

// useSession remembers a planb session the client works with.
func (s *clientSessions) useSession(id string) {
	s.state.Lock()
	defer s.state.Unlock()
	used := append(slices.DeleteFunc(s.state.sessions, func(other string) bool { return other == id }), id)
	s.state.sessions = used[max(0, len(used)-maxUsedSessions):]
}

// usedSessions returns the planb sessions the client works with, the one it used
// last first.
func (s *clientSessions) usedSessions() []string {
	s.state.Lock()
	defer s.state.Unlock()
	used := slices.Clone(s.state.sessions)
	slices.Reverse(used)
	return used
}

// chooseSession remembers that the client began a planb session, or named it: a plan
// without a sessionId may join it.
func (s *clientSessions) chooseSession(id string) {
	s.state.Lock()
	defer s.state.Unlock()
	if !slices.Contains(s.state.chosen, id) {
		s.state.chosen = append(s.state.chosen, id)
	}
}

// makeSession remembers that the client began a planb session.
func (s *clientSessions) makeSession(id string) {
	s.useSession(id)
	s.chooseSession(id)
	s.state.Lock()
	defer s.state.Unlock()
	if s.state.made == nil {
		s.state.made = map[string]bool{}
	}
	s.state.made[id] = true
}

func (s *clientSessions) madeSession(id string) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.made[id]
}

func (s *clientSessions) choseSession(id string) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Contains(s.state.chosen, id)
}

// chosenSessions returns the planb sessions that the client began or named.
func (s *clientSessions) chosenSessions() []string {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.state.chosen)
}

// maxHeard is how many asks whose outcome the client was told are remembered.
const maxHeard = 100

// heard remembers that the client is told the outcomes of these asks.
func (s *clientSessions) heard(askIDs ...string) {
	s.state.Lock()
	defer s.state.Unlock()
	all := append(s.state.answers, askIDs...)
	s.state.answers = slices.Clone(all[max(0, len(all)-maxHeard):])
}

// heardOf returns the asks whose outcome the client was told of late.
func (s *clientSessions) heardOf() []string {
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.state.answers)
}

// client names who made the request.
func (a *agent) client(ctx context.Context) store.Client {
	info := a.GetClientInfo()
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.ClientInfo != nil {
		info = *request.ClientInfo
	}
	return store.Client{Name: safe.New(info.Name), Title: safe.New(info.Title), Version: safe.New(info.Version)}
}
