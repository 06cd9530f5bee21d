package store

import (
	"time"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
)

// Session is one planning effort: its asks and plan versions belong together.
type Session struct {
	ID      string    `json:"id"` // a UUID, new ones are version 7
	Title   safe.Text `json:"title,omitzero"`
	Intent  safe.Text `json:"intent,omitzero"`
	Project safe.Text `json:"project,omitzero"` // absolute path of the project's directory
	// Root is the directory that stands for the project; Machine is the machine that
	// has this directory. Both are empty in sessions of planbs that did not have these
	// fields.
	Root    string    `json:"root,omitempty"`
	Machine string    `json:"machine,omitempty"`
	Client  Client    `json:"client,omitzero"`
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated"` // last change of anything in the session
	Asks    int       `json:"asks"`
	Plans   int       `json:"plans"` // also the number of the latest version
	// Archived is the value of Updated when a person archived the session; see
	// InArchive.
	Archived time.Time `json:"archived,omitzero"`
	// Err is why the session cannot be read, in a list that names it nevertheless. Then
	// only ID and Updated are set.
	Err error `json:"-"`
}

// InArchive reports whether a person put the session out of their way. Any later change in
// the session takes it out again, whichever version of planb writes the change.
func (s Session) InArchive() bool { return !s.Archived.IsZero() && s.Archived.Equal(s.Updated) }

// ChangedBefore reports whether the session stands behind another in the list of sessions,
// which begins with the newest change.
func (s Session) ChangedBefore(other Session) bool {
	if s.Updated.Equal(other.Updated) {
		return s.ID > other.ID
	}
	return s.Updated.Before(other.Updated)
}

// Name returns the session's title for a person, or words that say why it has none.
func (s Session) Name() safe.Text {
	switch {
	case s.Err != nil:
		return safe.New("Unreadable session")
	case s.Title.Blank():
		return safe.New(questions.Untitled + " session")
	}
	return s.Title
}

// Client is the MCP client that speaks for an agent, as it names itself.
type Client struct {
	Name    safe.Text `json:"name,omitzero"`  // claude-code
	Title   safe.Text `json:"title,omitzero"` // Claude Code
	Version safe.Text `json:"version,omitzero"`
}

// Ask is one form an agent asked, and what became of it.
type Ask struct {
	ID      string         `json:"id"` // a UUID, new ones are version 7
	Session string         `json:"session"`
	Spec    questions.Spec `json:"-"`      // kept as content beside the record
	Digest  string         `json:"digest"` // of Spec; see questions.Spec.Digest
	Subject Subject        `json:"subject,omitzero"`
	// Place is where the ask's form belongs: one tmux window, else one server. One pane
	// shows the asks of a place, one after another.
	Place string `json:"place,omitempty"`
	// Own says that a person began the form by a command. No agent waits for the form,
	// and a form that is left open is not listed as waiting.
	Own     bool          `json:"own,omitempty"`
	Client  Client        `json:"client,omitzero"` // who asked; a session may be used by several
	Created time.Time     `json:"created"`
	Asked   time.Time     `json:"asked"`          // last time it was asked: Created, or later when the same ask was asked again
	Timeout time.Duration `json:"timeout"`        // after it, counted from Asked, the ask expires; 0 for never
	Shown   time.Time     `json:"shown,omitzero"` // first time a person's screen showed it
	// Snoozed is when the person wants to be reminded of it again; zero if they did not
	// say. A time in the past means nothing.
	Snoozed time.Time `json:"snoozed,omitzero"`
	// PutOff is the time before which the person does not want the ask to come up by
	// itself; see PutOffs.
	PutOff  time.Time         `json:"putOff,omitzero"`
	Outcome questions.Outcome `json:"outcome"`
	// TooLate has the outcomes that came after another one had won.
	TooLate []questions.Outcome `json:"late,omitempty"`
	// Delivered is when the outcome was written into an agent's result; zero
	// while it still has to be announced.
	Delivered time.Time `json:"delivered,omitzero"`
	// Err is why the ask cannot be read, in a list that names it nevertheless. Then only
	// ID, Session and Created are set.
	Err error `json:"-"`
}

// Deadline is when the ask expires, or zero if it never does. It is for a person to
// read: a process that waits counts Timeout on its monotonic clock.
func (a Ask) Deadline() time.Time {
	if a.Timeout <= 0 {
		return time.Time{}
	}
	return a.Asked.Add(a.Timeout)
}

// Open reports whether an answer is still welcome.
func (a Ask) Open() bool { return !a.Outcome.State.Final() }

// Asleep reports whether the person does not want to be reminded of it at that
// time.
func (a Ask) Asleep(now time.Time) bool { return a.Open() && a.Snoozed.After(now) }

// Undelivered reports whether the agent has yet to learn the outcome.
func (a Ask) Undelivered() bool {
	return a.Outcome.State.Final() && a.Outcome.State != questions.Withdrawn && a.Delivered.IsZero()
}

// Plan is one saved version of a session's plan, without its text.
type Plan struct {
	plans.Version
	Session string `json:"session"`
	// Err is why the version cannot be read, in a list that names it nevertheless. Then
	// only Number and Session are set.
	Err error `json:"-"`
}
