package wait

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"planb/mcp/tool"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// unkept are replies from clients' dialogs that came too late, and that the store refuses
// because it keeps enough of them. Each is in a file of its own. The agent of the session
// is told where, so that it tells the person.
type unkept struct {
	mu      sync.Mutex
	replies map[string][]string // a sentence on each, by session
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

// told forgets the sentences, because the agent has them.
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
func (r *Room) keepAside(ask store.Ask, outcome questions.Outcome) {
	text, err := json.MarshalIndent(struct {
		Ask   string    `json:"askId"`
		Title safe.Text `json:"title"`
		questions.Outcome
	}{ask.ID, ask.Spec.Title, outcome}, "", "  ")
	if err != nil {
		r.cfg.Log.Error("a reply that came too late could not be encoded", "ask", ask.ID, "error", err)
		return
	}
	// The same reply, sent again, has the same file.
	digest := sha256.Sum256(text)
	name := fmt.Sprintf("late-%x.json", digest[:8])
	path, err := r.cfg.Keep(ask.Session, ask.ID, name, string(text)+"\n")
	if err != nil {
		r.cfg.Log.Error("a reply that came too late could not be written to a file; the agent is told it", "ask", ask.ID, "error", err)
		r.unkept.add(ask.Session, unkeptText(ask.ID, "It could not be written to a file either. Give it to them word for word: "+string(text)))
		return
	}
	r.cfg.Log.Warn("a reply that came too late is kept in a file, because the ask has enough of them", "ask", ask.ID, "path", path)
	r.unkept.add(ask.Session, unkeptText(ask.ID, "It is kept in "+path+". Tell them so."))
}

// TellUnkept adds to a result which replies of the session are in files. Every result
// says so until one of them has been written to the client.
func (r *Room) TellUnkept(_ context.Context, c *tool.Caller, answer *tool.Result) {
	sentences := r.unkept.of(answer.Session)
	if len(sentences) == 0 {
		return
	}
	answer.Notes = append(answer.Notes, sentences...)
	session := answer.Session
	c.OnWriting(func() (written func(error)) {
		r.unkept.told(session, sentences)
		return func(err error) {
			if err == nil {
				return
			}
			for _, sentence := range sentences {
				r.unkept.add(session, sentence)
			}
		}
	})
}

// unkeptText says that a reply in a client's dialog is not stored with its ask. where is
// the sentence that says where it is.
func unkeptText(ask, where string) string {
	return fmt.Sprintf("The user also replied to askId %s in a dialog of your client, after it was settled. "+
		"That reply is not kept with the question, which has %d later ones. %s", ask, store.MaxTooLate, where)
}
