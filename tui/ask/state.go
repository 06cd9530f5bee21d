package ask

import (
	"errors"
	"reflect"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// State is what a pane knows of the ask it shows and of those before. It reads and writes
// nothing, and belongs to one goroutine. Its callers give it the form's present entry.
type State struct {
	Ask     store.Ask
	Session store.Session
	Waits   bool // an agent's call waits for the ask
	Others  bool // another pane shows it, too
	// First is the ask that was shown first, or the ask that replaced it while the
	// person had it open, even if that ask ended before it came up.
	First   store.Ask
	Settled int      // asks settled here
	Closed  int      // asks that were shown here and are not any more
	Aside   []string // asks that have ended, or cannot be opened
	left    int      // asks the person put off

	readOnly bool
	instead  bool // the ask was shown instead of the first
	plan     *review.Subject
	begun    questions.Entry // what the form began with
	saved    questions.Entry // what the store holds, or need not hold

	read questions.Entry // what the store held when the next ask began to be opened

	next     string // the ask that has taken this one's place, and is to come up
	decided  bool   // an outcome was sent to one whose place was taken
	onRecord bool   // what was entered was submitted, too late to count
	follows  carried
}

// carried is what the ask that is about to be shown inherits from the one whose
// place it has taken.
type carried struct {
	any     bool // there was one
	touched bool // something was entered there
	ahead   bool // and the store may not have held all of it
}

// Show takes an ask that was opened. Begin follows when its form is there.
func (s *State) Show(o Opened) {
	s.Aside = append(s.Aside, o.Aside...)
	s.Ask, s.Session, s.Waits, s.Others = o.Ask, o.Session, o.AgentWaits, false
	s.instead = o.Instead
	s.readOnly, s.plan, s.onRecord = o.ReadOnly && o.Ask.Open(), o.Plan, false
	if s.First.ID == "" {
		s.First = s.Ask
	}
}

// Unasked reports whether the ask came up by itself behind another one, or instead of
// the one that the person wanted.
func (s *State) Unasked() bool { return s.Closed > 0 || s.follows.any || s.instead }

// Begin takes what the form of the ask holds at first.
func (s *State) Begin(entry questions.Entry) {
	s.begun, s.saved = entry, entry
	if s.follows.touched {
		s.begun = questions.Entry{}
	}
	if s.follows.ahead {
		s.saved = questions.Entry{}
	}
	s.follows = carried{}
}

// Reread notes that the form begins once more, with what another pane entered. entry is what it
// has now. What was entered here before still counts as that: the other pane may submit without it.
func (s *State) Reread(entry questions.Entry) { s.follows.touched = s.Touched(entry) }

// Answerable reports whether what is entered can still become an answer.
func (s *State) Answerable() bool { return s.Ask.Open() && !s.readOnly }

// Touched reports whether something was entered here. The place of the cursor does not
// count.
func (s *State) Touched(entry questions.Entry) bool {
	begun := s.begun
	entry.Focus, begun.Focus = "", ""
	return !reflect.DeepEqual(entry, begun)
}

// Unsaved reports whether the form holds what the store does not. Beside another pane the
// place of the cursor does not count, or a cursor that moves here would put an older entry in
// place of what was entered there.
func (s *State) Unsaved(entry questions.Entry) bool {
	saved := s.saved
	if s.Others {
		entry.Focus, saved.Focus = "", ""
	}
	return s.Answerable() && !reflect.DeepEqual(entry, saved)
}

// Saved notes that the store holds an entry.
func (s *State) Saved(entry questions.Entry) { s.saved = entry }

// EntryOf returns the id of the ask that the form's entry is saved under: the shown
// ask, or the ask that has replaced it.
func (s *State) EntryOf() string {
	if s.next != "" {
		return s.next
	}
	return s.Ask.ID
}

// Queued says which of how many the ask is among those of the place, given how many
// wait there now, this one included. The only one gets zeros.
func (s *State) Queued(waiting int) (at, of int) {
	if s.Closed+waiting < 2 {
		return 0, 0
	}
	return s.Closed + 1, s.Closed + max(waiting, 1)
}

// News is what has changed about the ask.
type News struct {
	Replaced bool // another ask has taken its place; see Next
	Outcome  bool // it was settled elsewhere, or expired, or was opened again
	Waits    bool // State.Waits did
}

// Glanced takes what was seen in the store.
func (s *State) Glanced(seen Seen) (news News) {
	if seen.Ask.ID != s.Ask.ID {
		return news
	}
	if next := seen.Ask.Outcome.Next; next != "" && s.Answerable() {
		s.next = next
		return News{Replaced: true}
	}
	// A final outcome stays: a look that began before the ask ended tells of the past.
	if seen.Ask.Outcome.State != s.Ask.Outcome.State && !s.Ask.Outcome.State.Final() {
		s.became(seen.Ask)
		news.Outcome = true
	}
	news.Waits, s.Waits = seen.Waits != s.Waits, seen.Waits
	return news
}

// became notes what the store holds of the ask now.
func (s *State) became(ask store.Ask) {
	ask.Spec = s.Ask.Spec
	if s.First.ID == ask.ID {
		s.First = ask
	}
	s.Ask = ask
}

// Next is the id of the ask that has taken this one's place; empty if none has.
func (s *State) Next() string { return s.next }

// Following is Next for a face that now opens that ask by Host.Follow. What is saved from
// here on may not be in what Host.Follow reads.
func (s *State) Following() string {
	s.read = s.saved
	return s.next
}

// Decided notes that an outcome was sent to an ask whose place was taken.
func (s *State) Decided() { s.decided = true }

// WasDecided reports that, of the ask that was shown before.
func (s *State) WasDecided() bool { return s.decided }

// Result is what came of settling an ask.
type Result uint8

const (
	Failed   Result = iota // it is still open
	Counted                // the outcome is the ask's
	TooLate                // another outcome came first; this one is on the record
	Replaced               // another ask has taken its place; nothing was kept
)

// Done takes what Host.Settle returned.
func (s *State) Done(now store.Ask, err error) Result {
	won, late := errors.AsType[*questions.SettledError](err)
	if late && won.Winner.Next != "" {
		s.next, s.decided = won.Winner.Next, true
		return Replaced
	}
	if now.ID != "" {
		s.became(now)
	}
	switch {
	case err == nil:
		s.Settled++
		return Counted
	case late && !s.Ask.Open():
		s.onRecord = true
		return TooLate
	}
	return Failed
}

// Follow takes the ask that Host.Follow opened, with the entry of the form that it
// replaces. Following was called before. If the new ask has ended too, it marks the shown
// one as ended and reports false. Otherwise pass what it returns to Show.
func (s *State) Follow(o Opened, entry questions.Entry) (Opened, bool) {
	if o.ReadOnly {
		s.next = ""
		first := s.First.ID == s.Ask.ID
		ended := s.Ask
		ended.Outcome = o.Ask.Outcome
		s.became(ended)
		if first {
			s.First = o.Ask
		}
		return o, false
	}
	s.follows = carried{any: true, touched: s.Touched(entry), ahead: !reflect.DeepEqual(entry, s.read)}
	if s.follows.ahead {
		o.Entry = o.Joined
	}
	if s.plan != nil && s.plan.Problem == nil && o.Plan != nil && s.Ask.Spec.Plan.Digest != o.Ask.Spec.Plan.Digest {
		o.Plan.Begun = review.BegunOn(s.plan.Version, s.plan.Text, o.Plan.Text)
	}
	if s.First.ID == s.Ask.ID {
		s.First = o.Ask
	}
	s.next, s.decided = "", false
	return o, true
}

// PutOff notes that the person puts the ask off. It returns the ask with the id by
// which they can come back to it. Host.Next writes it to the store.
func (s *State) PutOff() store.Ask {
	kept := s.Ask
	kept.ID = s.EntryOf()
	s.next = ""
	s.left++
	return kept
}

// Attended reports whether the person was at another ask before this one.
func (s *State) Attended() bool { return s.Settled+s.left+len(s.Aside) > 0 }

// Unkept reports whether what was entered into an ask that ended elsewhere is worth
// keeping, and not kept yet.
func (s *State) Unkept(entry questions.Entry) bool { return s.Touched(entry) && !s.onRecord }

// OnRecord reports whether what was entered was submitted, too late to count.
func (s *State) OnRecord() bool { return s.onRecord }
