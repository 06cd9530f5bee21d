package ask_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/tui/ask"
)

const window = "window-1"

type desk struct {
	t     *testing.T
	store *store.Store
}

func newDesk(t *testing.T) desk {
	t.Helper()
	return desk{t, store.New(kvtest.NewMap(), store.Options{By: "you@desk"})}
}

// session is a new session of an agent.
func (d desk) session() string {
	d.t.Helper()
	session, err := d.store.CreateSession(d.t.Context(), store.Session{Title: safe.New("Names")})
	if err != nil {
		d.t.Fatal(err)
	}
	return session.ID
}

// asks puts a question of an agent into the queue of the window.
func (d desk) asks(session, agent, title string) store.Ask {
	d.t.Helper()
	ask, _, err := d.store.OpenAsk(d.t.Context(), store.Ask{
		Session: session, Place: window, Timeout: time.Hour, Client: store.Client{Title: safe.New(agent)},
		Spec: questions.Spec{Title: safe.New(title), Questions: []questions.Question{{
			ID: "name", Kind: questions.Text, Label: safe.New("Which?"), Tab: safe.New(questions.DefaultTab),
		}}},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return ask
}

// pane is a host that serves the window.
func (d desk) pane(first string) *ask.Host {
	return ask.NewHost(d.store, ask.Options{ID: first, Place: window, By: "you@desk"})
}

func (d desk) settle(id string) {
	d.t.Helper()
	outcome := questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue("Vega")}}}
	if _, err := d.store.Settle(d.t.Context(), id, outcome); err != nil {
		d.t.Fatal(err)
	}
}

func (d desk) wantPutOff(when string, want bool) {
	d.t.Helper()
	if off, err := d.store.PutOffs(d.t.Context(), window); err != nil || off.Place != want {
		d.t.Errorf("%s: put off is %v, %v", when, off.Place, err)
	}
}

func (d desk) opened(o ask.Opened, err error) ask.Opened {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	return o
}

func (d desk) close(h *ask.Host) {
	d.t.Helper()
	if err := h.Close(context.Background(), ask.Left); err != nil {
		d.t.Error(err)
	}
}

func TestAPaneThatIsClosedPutsItsPlaceOff(t *testing.T) {
	d := newDesk(t)
	session := d.session()
	first, second := d.asks(session, "Codex", "One"), d.asks(session, "Codex", "Two")

	pane := d.pane(first.ID)
	d.opened(pane.Start())
	d.wantPutOff("while it is open", false)
	d.close(pane)
	d.wantPutOff("when it was closed", true)

	own := ask.NewHost(d.store, ask.Options{ID: first.ID, By: "you@desk"})
	d.opened(own.Start())
	d.wantPutOff("when the person opens one of its asks", false)
	d.close(own)
	d.wantPutOff("when they leave that one", false)

	pane = d.pane(first.ID)
	d.opened(pane.Start())
	d.settle(first.ID)
	d.opened(pane.Next(first.ID, nil))
	d.settle(second.ID)
	d.close(pane)
	d.wantPutOff("when all was answered", false)
}

func TestAnAskThatIsLeftPutsItsPlaceOff(t *testing.T) {
	d := newDesk(t)
	session := d.session()
	first, second := d.asks(session, "Codex", "One"), d.asks(session, "Codex", "Two")
	pane := d.pane(first.ID)
	d.opened(pane.Start())
	if next := d.opened(pane.Next(first.ID, []string{first.ID})); next.Ask.ID != second.ID {
		t.Fatalf("%q comes next", next.Ask.Spec.Title.Raw())
	}
	d.settle(second.ID)
	if next := d.opened(pane.Next(second.ID, []string{first.ID})); !next.None {
		t.Fatalf("%q comes next", next.Ask.Spec.Title.Raw())
	}
	d.wantPutOff("when the pane has left", true)
	d.close(pane)

	looked := ask.NewHost(d.store, ask.Options{ID: first.ID, ReadOnly: true, By: "you@desk"})
	d.opened(looked.Start())
	d.close(looked)
	d.wantPutOff("when somebody only looked at it", true)
}

func TestAllOfAnAgentCanBePutOff(t *testing.T) {
	d := newDesk(t)
	loud, more, quiet := d.session(), d.session(), d.session()
	first := d.asks(loud, "Codex", "Loud")
	for i := range 5 {
		d.asks([]string{loud, more}[i%2], "Codex", fmt.Sprint("Loud ", i))
	}
	other := d.asks(quiet, "Gemini", "Quiet")
	pane := d.pane(first.ID)
	d.opened(pane.Start())
	pane.PutOffAgent(first.Client)
	next := d.opened(pane.Next(first.ID, []string{first.ID}))
	if next.Ask.ID != other.ID || next.Waiting != 1 {
		t.Fatalf("%q comes next, %d wait", next.Ask.Spec.Title.Raw(), next.Waiting)
	}
	d.asks(more, "Codex", "Loud again")
	d.settle(other.ID)
	if next := d.opened(pane.Next(other.ID, []string{first.ID})); !next.None {
		t.Errorf("%q comes next", next.Ask.Spec.Title.Raw())
	}
	d.wantPutOff("when the pane has left", true)
	d.close(pane)
}

// What was put off in one pane is put off in the next, comes back after ten minutes, and
// at once when the person opens it themselves.
func TestWhatWasPutOffIsKept(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	d := desk{t, store.New(kvtest.NewMap(), store.Options{By: "you@desk", Now: func() time.Time { return now }})}
	loud, quiet := d.session(), d.session()
	first, more, other := d.asks(loud, "Codex", "One"), d.asks(loud, "Codex", "Two"), d.asks(quiet, "Gemini", "Other")
	last := d.asks(quiet, "Gemini", "Last")
	waits := func(when string, pane *ask.Host, want int) {
		t.Helper()
		if seen, err := pane.Glance(last, review.Newer{}, nil); err != nil || seen.Waiting != want {
			t.Errorf("%s: %d wait, want %d; %v", when, seen.Waiting, want, err)
		}
	}
	pane := d.pane(first.ID)
	d.opened(pane.Start())
	pane.PutOffAgent(first.Client)
	if next := d.opened(pane.Next(first.ID, nil)); next.Ask.ID != other.ID {
		t.Fatalf("%q comes next", next.Ask.Spec.Title.Raw())
	}
	if next := d.opened(pane.Next(other.ID, nil)); next.Ask.ID != last.ID {
		t.Fatalf("%q comes next", next.Ask.Spec.Title.Raw())
	}
	if err := pane.Close(t.Context(), ask.BrokeOff); err != nil {
		t.Fatal(err)
	}

	pane = d.pane("")
	defer d.close(pane)
	if next := d.opened(pane.Start()); next.Ask.ID != last.ID || next.Waiting != 1 {
		t.Errorf("in the next pane %q comes first, %d wait", next.Ask.Spec.Title.Raw(), next.Waiting)
	}
	waits("in the next pane", pane, 1)
	own := ask.NewHost(d.store, ask.Options{ID: other.ID, By: "you@desk"})
	d.opened(own.Start())
	d.close(own)
	waits("when the person opened one", pane, 2)
	own = ask.NewHost(d.store, ask.Options{ID: more.ID, By: "you@desk"})
	d.opened(own.Start())
	d.close(own)
	waits("when they opened one of the agent", pane, 3)
	now = now.Add(store.PutOffTime)
	waits("ten minutes later", pane, 4)
}

// An error, or the death of the whole terminal, is not the person's word.
func TestAPaneThatBreaksOffPutsNothingOff(t *testing.T) {
	d := newDesk(t)
	first := d.asks(d.session(), "Codex", "One")
	pane := d.pane(first.ID)
	d.opened(pane.Start())
	if err := pane.Close(t.Context(), ask.BrokeOff); err != nil {
		t.Fatal(err)
	}
	d.wantPutOff("when the pane broke off", false)
	next := d.pane("")
	if opened := d.opened(next.Start()); opened.Ask.ID != first.ID || opened.Others {
		t.Errorf("the next pane shows %q, others show it: %v", opened.Ask.Spec.Title.Raw(), opened.Others)
	}
	d.close(next)
}

// unreadable is a store in which some asks cannot be read, and what belongs to some.
type unreadable struct {
	ask.Store
	asks, priors map[string]bool
}

var errUnreadable = errors.New("it cannot be read")

func (u unreadable) Ask(ctx context.Context, id string) (store.Ask, error) {
	if u.asks[id] {
		return store.Ask{}, errUnreadable
	}
	return u.Store.Ask(ctx, id)
}

func (u unreadable) EarlierForm(ctx context.Context, of store.Ask) (store.Ask, bool, error) {
	if u.priors[of.ID] {
		return store.Ask{}, false, errUnreadable
	}
	return u.Store.EarlierForm(ctx, of)
}

func TestAnAskThatCannotBeOpenedHidesNoOther(t *testing.T) {
	d := newDesk(t)
	session := d.session()
	bad, good := d.asks(session, "Codex", "One"), d.asks(session, "Codex", "Two")
	pane := ask.NewHost(unreadable{Store: d.store, asks: map[string]bool{bad.ID: true}}, ask.Options{Place: window, By: "you@desk"})
	opened := d.opened(pane.Start())
	if opened.Ask.ID != good.ID || !errors.Is(opened.Unopened, errUnreadable) {
		t.Fatalf("%q comes first, and of the other is said %v", opened.Ask.Spec.Title.Raw(), opened.Unopened)
	}
	d.settle(good.ID)
	if next, err := pane.Next(good.ID, nil); !errors.Is(err, errUnreadable) {
		t.Errorf("with nothing else left: %+v, %v", next, err)
	}
	if next, err := pane.Next(good.ID, opened.Aside); err != nil || !next.None {
		t.Errorf("with nothing else left that was not passed over: %+v, %v", next, err)
	}
	d.wantPutOff("when the pane has left", false)
	if err := pane.Close(t.Context(), ask.BrokeOff); err != nil {
		t.Fatal(err)
	}
	d.wantPutOff("when only that one is left", false)
}

func TestAFormThatCannotBeReadAgainStaysClaimed(t *testing.T) {
	d := newDesk(t)
	first := d.asks(d.session(), "Codex", "One")
	st := unreadable{Store: d.store, priors: map[string]bool{}}
	pane := ask.NewHost(st, ask.Options{ID: first.ID, Place: window, By: "you@desk"})
	defer d.close(pane)
	d.opened(pane.Start())
	st.priors[first.ID] = true
	if _, err := pane.Reread(first.ID, nil); !errors.Is(err, errUnreadable) {
		t.Fatalf("got %v", err)
	}
	if alive, err := d.store.AliveAny(t.Context(), store.ShowClaims(first.ID)); !alive || err != nil {
		t.Errorf("the form on the screen is claimed: %v, %v", alive, err)
	}
}

// A form says that it has the answers from before a reply only if there were some.
func TestOnlyAnswersAreCarriedOver(t *testing.T) {
	for name, carried := range map[string]bool{"": false, "Vega": true} {
		d := newDesk(t)
		session := d.session()
		replied := questions.Outcome{State: questions.Discuss, Message: safe.New("Why?"), Reply: questions.Reply{Answers: map[string]questions.Value{}}}
		if name != "" {
			replied.Reply.Answers["name"] = questions.TextValue(name)
		}
		first := d.asks(session, "Codex", "One")
		_, settled := d.store.Settle(t.Context(), first.ID, replied)
		if err := errors.Join(settled, d.store.Deliver(t.Context(), first.ID)); err != nil {
			t.Fatal(err)
		}
		pane := d.pane(d.asks(session, "Codex", "One").ID)
		if got := d.opened(pane.Start()); got.Carried != carried {
			t.Errorf("after a reply with the name %q: carried is %t", name, got.Carried)
		}
		d.close(pane)
	}
}
