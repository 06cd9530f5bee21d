package inbox

// Rings says how Inbox makes itself heard when something comes in. The zero
// value is silent.
//
// It rings once for all that comes in within a second, and again when a snooze
// is over. It does not ring for what waited when it started, nor for what was
// settled in that second, nor for the form that is open in it. What another pane
// of the same person shows has rung there: it rings here only when that pane
// stood untouched for some time.
type Rings struct {
	Bell    bool // the terminal's bell
	Title   bool // how many wait, in the window's title
	Desktop bool // a desktop notification, where the terminal is known to show them
	Message bool // Options.Announce
}
