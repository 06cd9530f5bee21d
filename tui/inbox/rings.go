package inbox

// Rings says how the inbox tells the person that a form came in. The zero value is silent.
//
// It rings once for all forms that come in within a second, and again when a snooze ends. It
// does not ring for forms that waited when the inbox was opened, that were settled within
// that second, or that are open over the inbox. A form in another pane of the same person
// has rung there, so the inbox rings for it only if that pane stays untouched for a while.
type Rings struct {
	Bell    bool // the terminal's bell
	Title   bool // how many wait, in the window's title
	Desktop bool // a desktop notification, where the terminal is known to show them
	Message bool // a message through Deps.Announce
}
