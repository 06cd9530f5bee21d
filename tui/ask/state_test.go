package ask

import (
	"errors"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

func open(id string) store.Ask {
	return store.Ask{ID: id, Outcome: questions.Outcome{State: questions.Pending}}
}

func entry(text string) questions.Entry {
	return questions.Entry{Fields: map[string]questions.Field{"name": {Text: safe.New(text)}}}
}

// What was entered goes to the ask that takes the place of another, and counts there
// as entered here; the first ask is then that one.
func TestStateFollowsWhatTakesTheAsksPlace(t *testing.T) {
	var s State
	s.Show(Opened{Input: Input{Ask: open("one")}})
	s.Begin(questions.Entry{})
	seen := open("one")
	seen.Outcome = questions.Outcome{State: questions.Withdrawn, Next: "two"}
	if news := s.Glanced(Seen{Ask: seen}); !news.Replaced || s.Next() != "two" || s.EntryOf() != "two" {
		t.Fatalf("the news is %+v, the next ask %q, the entry that of %q", news, s.Next(), s.EntryOf())
	}
	next, standing := s.Follow(Opened{Input: Input{Ask: open("two")}, Joined: entry("Vega, there")}, entry("Vega"))
	if !standing || next.Entry.Fields["name"].Text.Raw() != "Vega, there" || !s.Unasked() {
		t.Fatalf("what follows is %+v, %v", next, standing)
	}
	s.Show(next)
	s.Begin(next.Entry)
	if s.First.ID != "two" || s.Next() != "" || !s.Touched(entry("Vega")) || !s.Unsaved(entry("Vega")) {
		t.Errorf("the state is %+v", s)
	}
}

// The place of the cursor is saved, but not beside another pane: with it the entry that is here
// would replace what was entered there.
func TestACursorThatMovesSavesNothingBesideAnotherPane(t *testing.T) {
	var s State
	s.Show(Opened{Input: Input{Ask: open("one")}})
	s.Begin(entry("Ve"))
	s.Saved(entry("Ve"))
	moved, typed := entry("Ve"), entry("Vega")
	moved.Focus = "name"
	for _, others := range []bool{false, true} {
		s.Others = others
		if s.Unsaved(moved) == others || !s.Unsaved(typed) {
			t.Errorf("beside another pane %v: a moved cursor is unsaved %v, typed words %v", others, s.Unsaved(moved), s.Unsaved(typed))
		}
	}
}

// What is saved while the next ask is being opened may have come after that ask's entry was
// read. The words that the form has then count, not those that were read.
func TestStateFollowsWithWhatWasSavedMeanwhile(t *testing.T) {
	var s State
	s.Show(Opened{Input: Input{Ask: open("one")}})
	s.Begin(questions.Entry{})
	seen := open("one")
	seen.Outcome = questions.Outcome{State: questions.Withdrawn, Next: "two"}
	s.Glanced(Seen{Ask: seen})
	if got := s.Following(); got != "two" {
		t.Fatalf("the next ask is %q", got)
	}
	s.Saved(entry("Vega"))
	next, _ := s.Follow(Opened{Input: Input{Ask: open("two")}, Joined: entry("Vega")}, entry("Vega"))
	if next.Entry.Fields["name"].Text.Raw() != "Vega" {
		t.Errorf("what follows holds %+v", next.Entry)
	}
}

// An ask that has ended, too, ends the one whose place it took.
func TestStateEndsWithWhatTookTheAsksPlace(t *testing.T) {
	var s State
	s.Show(Opened{Input: Input{Ask: open("one")}})
	s.Begin(questions.Entry{})
	ended := open("two")
	ended.Outcome = questions.Outcome{State: questions.Answered, By: "me@here"}
	if _, standing := s.Follow(Opened{Input: Input{Ask: ended, ReadOnly: true}}, entry("Vega")); standing || s.Answerable() || !s.Unkept(entry("Vega")) {
		t.Errorf("the state is %+v", s)
	}
	if s.First.ID != "two" || s.First.Outcome.State != questions.Answered {
		t.Errorf("the first ask is %+v", s.First)
	}
}

// What settling returned decides how it goes on.
func TestStateTellsWhatCameOfAnOutcome(t *testing.T) {
	final := func(next string) store.Ask {
		ask := open("one")
		ask.Outcome = questions.Outcome{State: questions.Answered, Next: next}
		return ask
	}
	lost := func(next string) error {
		return &questions.SettledError{Winner: questions.Outcome{State: questions.Answered, Next: next}}
	}
	for _, test := range []struct {
		name string
		now  store.Ask
		err  error
		want Result
	}{
		{"it counts", final(""), nil, Counted},
		{"another was first", final(""), lost(""), TooLate},
		{"another ask took the place", final("two"), lost("two"), Replaced},
		{"the store could not write", open("one"), errors.New("broken"), Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s State
			s.Show(Opened{Input: Input{Ask: open("one")}})
			s.Begin(questions.Entry{})
			if got := s.Done(test.now, test.err); got != test.want || (s.Settled == 1) != (test.want == Counted) {
				t.Errorf("it is %d with %d settled, want %d", got, s.Settled, test.want)
			}
			if unkept := s.Unkept(entry("Vega")); unkept != (test.want != TooLate) {
				t.Errorf("what was entered is to be kept: %v", unkept)
			}
		})
	}
}
