package setup

import (
	"time"
)

// DefaultAnswerTimeout is how long a question waits for its answer if nothing else
// is set.
const DefaultAnswerTimeout = 24 * time.Hour

// Settings are what a person prefers.
type Settings struct {
	Wait          time.Duration // how long a call may wait for a person; 0: as long as its client is known to allow
	AnswerTimeout time.Duration // how long a question waits for its answer
	Opener        string        // what opens panes; "auto": whatever works here
	Toolsets      []string      // what an agent is offered, by name
	PlansDir      string        // where plan files are; empty: where they are by default
	PromptFile    string        // a file with the text of the prompt plan; empty: planb's own
	Theme         string        // empty: as the terminal's background wants it
	Editor        string        // a command line; empty: $VISUAL, else $EDITOR
	Mouse         bool          // clicks and the wheel are the form's
	Accessible    bool          // plain lines instead of screens
	Ring          Ring
}

// Ring says how the companion makes itself heard when something arrives.
type Ring struct {
	Bell    bool // the terminal bell
	Title   bool // the count in the window's title
	Desktop bool // a desktop notification, where the terminal knows them
	Message bool // a line in the person's multiplexer
}

// KeySetting is a line of the file that gives an action of a screen its keys.
// Which there are, the screens know.
type KeySetting struct {
	Screen string // empty: all that have the action
	Action string
	Keys   []string // as they are written; none takes the action's keys away
	Line   int      // from 1
}

// Name is what the file calls it: keys.form.submit.
func (k KeySetting) Name() string {
	if k.Screen == "" {
		return "keys." + k.Action
	}
	return "keys." + k.Screen + "." + k.Action
}

// Defaults are the settings of someone who has set nothing.
func Defaults() Settings {
	return Settings{
		AnswerTimeout: DefaultAnswerTimeout, Opener: "auto", Toolsets: []string{"session", "review"},
		Mouse: true, Ring: Ring{Bell: true, Title: true, Desktop: true, Message: true},
	}
}
