package setup

import (
	"time"
)

// Settings are what a person prefers. Flags and the environment are stronger,
// where there are such of the same name.
type Settings struct {
	Wait   time.Duration // how long a call may wait for a person; 0: as long as its client is known to allow
	Opener string        // what opens panes; empty: whatever works here
	Theme  string        // empty: as the terminal's background wants it
	Ring   Ring
}

// Ring says how the companion makes itself heard when something arrives.
type Ring struct {
	Bell    bool // the terminal bell
	Title   bool // the count in the window's title
	Desktop bool // a desktop notification, where the terminal knows them
	Message bool // a line in the person's multiplexer
}

// Defaults are the settings of someone who has set nothing.
func Defaults() Settings {
	return Settings{Ring: Ring{Bell: true, Title: true, Desktop: true, Message: true}}
}
