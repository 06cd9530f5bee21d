package mcptest

import (
	"encoding/json"
	"fmt"
	"testing"

	"planb/mcp"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Others is a store with an open ask, an answered one and a saved plan of a project
// that the connection does not see.
type Others struct {
	*World
	Project        string // its directory
	Session        string
	Open, Answered store.Ask
}

// NewOthers returns such a store behind a new server.
func NewOthers(t *testing.T, change func(*mcp.Config)) Others {
	t.Helper()
	o := Others{World: NewWorld(t, change), Project: t.TempDir()}
	session, err := o.Store.CreateSession(t.Context(), store.Session{
		Title: safe.New("Hidden matters"), Project: safe.New(o.Project), Client: store.Client{Name: safe.New("test")},
	})
	if err != nil {
		t.Fatal(err)
	}
	o.Session = session.ID
	for _, ask := range []*store.Ask{&o.Open, &o.Answered} {
		spec, err := questions.Parse(json.RawMessage(fmt.Sprintf(
			`{"title":"Hidden %p","questions":[{"id":"name","kind":"text","label":"Which?"}]}`, ask)))
		if err != nil {
			t.Fatal(err)
		}
		if *ask, _, err = o.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec, Client: session.Client}); err != nil {
			t.Fatal(err)
		}
	}
	o.Submit(o.Answered.ID, "harbour")
	if _, _, err := o.Store.SavePlan(t.Context(), session.ID, "Hidden plan", "# Hidden"); err != nil {
		t.Fatal(err)
	}
	return o
}

// Untouched fails the test if the other project's asks have changed.
func (o Others) Untouched(what string) {
	o.T.Helper()
	if now := o.Ask(o.Open.ID); now.Outcome.State != questions.Pending {
		o.T.Errorf("%s: the open ask is %s", what, now.Outcome.State)
	}
	if o.Delivered(o.Answered.ID) {
		o.T.Errorf("%s: the answer counts as delivered", what)
	}
}
