package pane

import "time"

// SetClock has the age of the person's keys measured against another clock.
func (t *Tmux) SetClock(now func() time.Time) { t.now = now }

// CloseArgs is closeArgs, for tests with a tmux.
var CloseArgs = closeArgs
