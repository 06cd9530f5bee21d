package inbox

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/themes"
	"planb/tui/ask"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

// depsOf is what the inbox gets of a world.
func depsOf(w *tuitest.World, answers bool) Deps {
	return Deps{Store: w.Store, By: "you@desk", Now: w.Clock, Answers: answers, Rings: Rings{Title: true}, After: tuitest.Soon, OpenForm: stubs(w)}
}

// stubs opens stubs of forms, which say how many others wait.
func stubs(w *tuitest.World) func(retro.Form) screen.Screen {
	return func(f retro.Form) screen.Screen {
		stub := &tuitest.FormStub{Text: func() string { return wording.AskText(w.Stored(f.Ask.ID), time.UTC).Block() }}
		say := func(others int) { stub.With = fmt.Sprintf("beside %d more waiting", others) }
		say(f.Others)
		stub.Heard = func(msg tea.Msg) {
			if beside, ok := msg.(ask.Beside); ok {
				say(beside.Others)
			}
		}
		return stub
	}
}

// openInbox shows the inbox, or the list of past sessions alone.
func openInbox(w *tuitest.World, answers bool, width, height int, theme themes.Theme) *tuitest.Rig {
	w.T.Helper()
	return tuitest.Open(w.T, New(depsOf(w, answers)), width, height, theme)
}

// driveInbox shows the inbox in a running program.
func driveInbox(w *tuitest.World, answers bool, width, height int) (*tuitest.Driver, *tuitest.Window, *Screen) {
	w.T.Helper()
	deps := depsOf(w, answers)
	deps.After = screen.After
	list := New(deps)
	win := tuitest.NewWindow(w.T, list, themes.Default(true))
	return tuitest.Drive(w.T, win, width, height), win, list
}
