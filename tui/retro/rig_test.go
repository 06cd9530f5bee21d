package retro

import (
	"fmt"
	"time"

	"planb/questions"
	"planb/store"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

// pastOf is what the screens of the past get of a world.
func pastOf(w *tuitest.World) Deps {
	form := func(f Form) screen.Screen {
		with := fmt.Sprintf("at question %q, found %q", f.Question, f.Found)
		text := func() string { return wording.AskText(w.Stored(f.Ask.ID), time.UTC).Block() }
		return &tuitest.FormStub{With: with, Text: text}
	}
	return Deps{Store: w.Store, Now: w.Clock, After: tuitest.Soon, OpenForm: form}
}

// openSession shows the story of a session.
func openSession(w *tuitest.World, session store.Session, width, height int, theme themes.Theme) *tuitest.Rig {
	w.T.Helper()
	return tuitest.Open(w.T, NewSession(pastOf(w), session), width, height, theme)
}

// told fills the world with one session in which an answer leads to a plan that
// cites it, and returns the session and its first ask.
func told(w *tuitest.World) (store.Session, store.Ask) {
	w.T.Helper()
	session := w.Session("Names", "/home/you/ships")
	w.Now = w.Now.Add(time.Minute)
	ask := w.Ask(session, "The new ship", "tmux-0a1b2c3d4e5f-@7")
	w.Now = w.Now.Add(time.Minute)
	if err := w.Store.MarkShown(w.T.Context(), ask.ID); err != nil {
		w.T.Fatal(err)
	}
	w.Now = w.Now.Add(2 * time.Minute)
	tuitest.Must(w.Store.Settle(w.T.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega"), By: "you@desk", At: w.Now}))
	w.Save(session, "A plan", "# Ships\n\nThe first.\n")
	w.Save(session, "", "# All ships\n\nThe first is Vega [q:name].\n\nThe second is open.\n")
	w.Now = w.Now.Add(time.Minute)
	return session, ask
}
