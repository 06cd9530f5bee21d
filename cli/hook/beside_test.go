package hook

import (
	"context"
	"errors"
	"strings"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/cli/frame"
	"planb/cli/ownagent"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
)

// scripted is an Asker that plays the server: it opens the review, and then does
// what a test says.
type scripted struct {
	t       *testing.T
	st      *store.Store
	plan    store.Plan
	ask     string
	nowhere bool
	putOff  bool
	then    func(ask string) // at each call
	calls   []string
	closed  bool
}

func (s *scripted) Call(ctx context.Context, tool string, _ map[string]any) (ownagent.Answer, error) {
	s.calls = append(s.calls, tool)
	if s.ask == "" {
		ref := questions.PlanRef{Number: s.plan.Number, Digest: s.plan.Digest}
		ask, _, err := s.st.OpenAsk(ctx, store.Ask{Session: s.plan.Session, Spec: questions.ReviewOf(safe.New("The plan"), ref), Client: store.Client{Name: safe.New("tester")}})
		if err != nil {
			return ownagent.Answer{}, err
		}
		s.ask = ask.ID
	} else if s.then != nil {
		s.then(s.ask)
	}
	return ownagent.Answer{Text: "NOT ANSWERED YET: no pane\nmore", Ask: s.ask, Nowhere: s.nowhere, PutOff: s.putOff}, nil
}

func (s *scripted) Close() { s.closed = true }

func newScripted(t *testing.T) *scripted {
	st := store.New(kvtest.NewMap(), store.Options{})
	session, err := st.CreateSession(t.Context(), store.Session{Title: safe.New("T")})
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := st.SavePlan(t.Context(), session.ID, "", "# Plan\n")
	if err != nil {
		t.Fatal(err)
	}
	return &scripted{t: t, st: st, plan: plan}
}

func (s *scripted) review() (store.Ask, error) {
	b := Beside{Start: func(context.Context, sdk.Implementation) (Asker, error) { return s, nil }}
	return b.Review(s.t.Context(), s.st, s.plan, sdk.Implementation{Name: "tester"})
}

func TestAReviewIsAwaitedUntilItsOutcome(t *testing.T) {
	s := newScripted(t)
	s.then = func(ask string) {
		if len(s.calls) < 3 {
			return // still waiting
		}
		if _, err := s.st.Settle(t.Context(), ask, questions.Outcome{State: questions.Declined, Message: safe.New("not now")}); err != nil {
			t.Error(err)
		}
	}
	ask, err := s.review()
	if err != nil || ask.Outcome.State != questions.Declined || WithoutVerdict(ask) != "declined: not now" {
		t.Errorf("%+v, %v", ask.Outcome, err)
	}
	if got := strings.Join(s.calls, " "); got != "submit_plan get_answer get_answer" || !s.closed {
		t.Errorf("it called %s, and closed the asker: %v", got, s.closed)
	}
	// What the agent never heard of is not asked a second time.
	s.calls = nil
	if again, err := s.review(); err != nil || again.ID != ask.ID || len(s.calls) > 0 {
		t.Errorf("again: %s, %v after %q", again.ID, err, s.calls)
	}
}

func TestAReviewThatNothingShowsIsWithdrawn(t *testing.T) {
	s := newScripted(t)
	s.nowhere = true
	if _, err := s.review(); err == nil || err.Error() != "nothing could be opened to show it: NOT ANSWERED YET: no pane" {
		t.Errorf("it says %v", err)
	}
	ask, err := s.st.Ask(t.Context(), s.ask)
	if err != nil || ask.Outcome.State != questions.Withdrawn {
		t.Errorf("it is left in the inbox as %s, %v", ask.Outcome.State, err)
	}
}

// A review that the person has put off is kept, and they are told how to go on.
func TestAReviewThatIsPutOffIsKept(t *testing.T) {
	t.Parallel()
	for name, shownBefore := range map[string]bool{"a plan that was never shown": false, "a plan that was shown and left earlier": true} {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t)
			s.nowhere, s.putOff = true, true
			if shownBefore {
				s.nowhere, s.putOff = false, false
				s.then = func(ask string) {
					if err := s.st.MarkShown(t.Context(), ask); err != nil {
						t.Error(err)
					}
				}
				if _, err := s.review(); err != nil {
					t.Fatal(err)
				}
				s.nowhere, s.putOff, s.then = true, true, nil
			}
			_, err := s.review()
			if want := "no pane came up, because you put off what waits here; the review is kept, finish it with  planb tui ask " + store.ShortID(s.ask); err == nil || err.Error() != want {
				t.Errorf("it says %v, want %s", err, want)
			}
			if ask, err := s.st.Ask(t.Context(), s.ask); err != nil || !ask.Open() {
				t.Errorf("it is %s, %v", ask.Outcome.State, err)
			}
		})
	}
}

func TestAReviewNeedsAPane(t *testing.T) {
	broken := errors.New("no such opener")
	for name, test := range map[string]struct {
		env   frame.Environment
		opens bool
		err   error
		want  string
	}{
		"a pane":          {nil, true, nil, ""},
		"no pane":         {nil, false, nil, "no pane can be opened beside this; `planb doctor` says why"},
		"forbidden":       {frame.Environment{"ASK_NO_OPEN": "1"}, true, nil, "no pane can be opened beside this: ASK_NO_OPEN is set"},
		"a wrong setting": {nil, false, broken, "no such opener"},
	} {
		b := Beside{Program: frame.Program{Env: test.env}, CanOpenPanes: func(context.Context) (bool, error) { return test.opens, test.err }}
		got := ""
		if err := b.Possible(t.Context()); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
