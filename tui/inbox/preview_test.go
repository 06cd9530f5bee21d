package inbox

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// The preview says what a form asks, and what is entered by now.
func TestThePreviewShowsWhatIsAskedAndEntered(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 30}} {
		w := tuitest.NewWorld(t)
		ask := w.Rich("")
		r := openInbox(w, true, size[0], size[1], themes.None())
		r.Shows("Claude Code · shop · Nightly export", "questions · ", "● Which format?")
		r.Hides(" answered")
		if err := w.Store.SaveEntry(t.Context(), ask.ID, questions.Entry{Fields: map[string]questions.Field{"format": {Picked: []string{"json"}}}}); err != nil {
			t.Fatal(err)
		}
		r.Run(r.Top().(*Screen).read()) // as after its form was left
		r.Shows("✓ Which format?", "JSON", "1 answered", "required open")
	}
}

func TestThePreviewShowsThePlanUnderReview(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Rounds()
	r := openInbox(w, true, 120, 40, themes.None())
	r.Shows("plan submitted", "The plan, v2", "Read the orders, the oldest first.")
	r.Keys("end")
	r.Shows("Nightly export", "2 forms", "● v2 Orders leave every night · open", "v1 Orders leave every night · reviewed")
	r.Hides("The plan, v2")
}

func TestASmallWindowHasNoPreview(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	from := &countingStore{Store: w.Store}
	deps := depsOf(w, true)
	deps.Store = from
	w.Rich("")
	r := tuitest.Open(t, New(deps), 60, 20, themes.None())
	r.Hides("Which format?")
	if from.asks > 0 {
		t.Errorf("%d forms were read for no preview", from.asks)
	}
}

// Who holds an arrow key has only the row read on which the cursor rests.
func TestThePreviewReadsTheRowOnWhichTheCursorRests(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	for _, title := range []string{"One", "Two", "Three", "Four"} {
		w.Ask(w.Session(title, ""), title, "")
	}
	from := &countingStore{Store: w.Store}
	deps := depsOf(w, true)
	deps.Store = from
	var rests []tea.Msg
	deps.After = func(d time.Duration, msg tea.Msg) tea.Cmd {
		if d == screen.PeekPause {
			rests = append(rests, msg)
			return nil
		}
		return tuitest.Soon(d, msg)
	}
	r := tuitest.Open(t, New(deps), 120, 40, themes.None())
	r.Keys("down down down")
	if from.asks > 0 {
		t.Errorf("%d forms were read while the cursor moved", from.asks)
	}
	for _, msg := range rests {
		r.Send(msg)
	}
	if from.asks != 1 {
		t.Errorf("%d forms were read, not the one under the cursor", from.asks)
	}
	r.Keys("up down") // it is known
	for _, msg := range rests {
		r.Send(msg)
	}
	if from.asks != 1 {
		t.Errorf("%d forms were read, though nothing changed", from.asks)
	}
}

// The preview changes once, when the row under the cursor is read, and not first to a part of it.
func TestThePreviewWaitsForItsRow(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	for _, title := range []string{"One", "Two"} {
		w.Ask(w.Session(title, ""), title, "")
	}
	deps := depsOf(w, true)
	var rests []tea.Msg
	deps.After = func(d time.Duration, msg tea.Msg) tea.Cmd {
		if d == screen.PeekPause {
			rests = append(rests, msg)
			return nil
		}
		return tuitest.Soon(d, msg)
	}
	r := tuitest.Open(t, New(deps), 120, 40, themes.None())
	rest := func() {
		for _, msg := range rests {
			r.Send(msg)
		}
		rests = nil
	}
	previewed := func() string {
		_, right, _ := strings.Cut(strings.Split(r.Content(), "\n")[3], "│")
		return strings.TrimSpace(right)
	}
	rest()
	first := previewed()
	r.Keys("down")
	if got := previewed(); got != first || first == "" {
		t.Errorf("the preview shows %q before the row is read, and %q before", got, first)
	}
	rest()
	second := previewed()
	if second == first {
		t.Errorf("the preview still shows %q", second)
	}
	if r.Keys("up"); previewed() != first { // it is known
		t.Errorf("the preview shows %q, not %q", previewed(), first)
	}
}

func TestThePreviewSaysWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Ask(w.Session("Names", ""), "The new ship", "")
	deps := depsOf(w, true)
	deps.Store = &countingStore{Store: w.Store, fails: errors.New("the disk is on fire")}
	r := tuitest.Open(t, New(deps), 120, 40, themes.None())
	r.Shows("! It cannot be read: the disk is on fire")
	r.Keys("down")
	r.Shows("! What was asked cannot be read: the disk is on")
}

// What an agent wrote cannot break out of the preview.
func TestThePreviewIsClean(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{Title: safe.New("a\x1b[2Jb"), Intent: safe.New("c\x1b]0;x\ad")}))
	spec := tuitest.Parse(t, `{"title":"Form","questions":[{"id":"q","kind":"single","label":"La\u001b[5mbel","options":["\u202eone","two"]}]}`)
	if _, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec}); err != nil {
		t.Fatal(err)
	}
	r := openInbox(w, true, 120, 40, themes.None())
	for _, raw := range []string{"\x1b[2J", "\x1b]0", "\x1b[5m", "\u202e"} {
		if strings.Contains(r.Content(), raw) {
			t.Errorf("%q reached the screen", raw)
		}
	}
	r.Shows("two")
}

// countingStore counts the forms that are read, and fails if it is to.
type countingStore struct {
	*store.Store
	asks  int
	fails error
}

func (s *countingStore) Ask(ctx context.Context, id string) (store.Ask, error) {
	s.asks++
	if s.fails != nil {
		return store.Ask{}, s.fails
	}
	return s.Store.Ask(ctx, id)
}

func (s *countingStore) Asks(ctx context.Context, session string) ([]store.Ask, error) {
	if s.fails != nil {
		return nil, s.fails
	}
	return s.Store.Asks(ctx, session)
}

// A session that has the name of its agent, as the demo's, is not named again.
func TestDetailsSayNoNameTwice(t *testing.T) {
	t.Parallel()
	w := Waiting{Session: store.Session{Title: safe.New("planb demo")}}
	for name, want := range map[string]string{"planb demo": "planb demo", "codex": "codex · planb demo"} {
		w.Ask.Client.Name = safe.New(name)
		if who, _ := w.Details(time.Now(), ""); who != want {
			t.Errorf("%s: got %q, want %q", name, who, want)
		}
	}
}

// Titles that differ only at their end can be told apart where there is room for it.
func TestALongTitleGoesOnBelow(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Invoices", "")
	title := "Round tax per line, not per invoice, and never twice, part "
	w.Ask(session, title+"1", "")
	w.Ask(session, title+"2", "")
	r := openInbox(w, true, 120, 40, themes.None())
	r.Keys("end").Shows("● Round tax per line, not per invoice, and", "never twice, part 1", "never twice, part 2")
}
