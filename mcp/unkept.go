package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"planb/mcp/tool"
	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// unkept are the replies that came too late from clients' dialogs, and that the store
// refuses because it keeps enough of them. Each is in a file of its own. The agent of
// the session is told where, so that it tells the person.
type unkept struct {
	mu      sync.Mutex
	replies map[string][]string // what to say of each, by session
}

func (u *unkept) add(session, sentence string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if slices.Contains(u.replies[session], sentence) {
		return
	}
	if u.replies == nil {
		u.replies = map[string][]string{}
	}
	u.replies[session] = append(u.replies[session], sentence)
}

func (u *unkept) of(session string) []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.replies[session])
}

// told forgets the sentences: the agent has them.
func (u *unkept) told(session string, sentences []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	left := slices.DeleteFunc(u.replies[session], func(s string) bool { return slices.Contains(sentences, s) })
	if len(left) == 0 {
		delete(u.replies, session)
		return
	}
	u.replies[session] = left
}

// keepAside writes a reply that the store refused into a file.
func (s *waiting) keepAside(ask store.Ask, outcome questions.Outcome) {
	text, err := json.MarshalIndent(struct {
		Ask   string    `json:"askId"`
		Title safe.Text `json:"title"`
		questions.Outcome
	}{ask.ID, ask.Spec.Title, outcome}, "", "  ")
	if err != nil {
		s.log.Error("a reply that came too late could not be encoded", "ask", ask.ID, "error", err)
		return
	}
	// The same reply, sent again, has the same file.
	name := fmt.Sprintf("late-%.16s.json", plans.Digest(safe.New(string(text))))
	path, err := s.copies.WriteAnswer(ask.Session, ask.ID, name, string(text)+"\n")
	if err != nil {
		s.log.Error("a reply that came too late could not be written to a file; the agent is told it", "ask", ask.ID, "error", err)
		s.unkept.add(ask.Session, unkeptText(ask.ID, "It could not be written to a file either. Give it to them word for word: "+string(text)))
		return
	}
	s.log.Warn("a reply that came too late is kept in a file, because the ask has enough of them", "ask", ask.ID, "path", path)
	s.unkept.add(ask.Session, unkeptText(ask.ID, "It is kept in "+path+". Tell them so."))
}

// tellUnkept adds to a result which replies of the session are in files. They are
// told again until a reply with them was written.
func (s *waiting) tellUnkept(_ context.Context, c *tool.Caller, answer *tool.Result) {
	sentences := s.unkept.of(answer.Session)
	if len(sentences) == 0 {
		return
	}
	answer.Notes = append(answer.Notes, sentences...)
	session := answer.Session
	c.OnceWritten(func() { s.unkept.told(session, sentences) })
}
