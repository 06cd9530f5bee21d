package tui

import (
	"errors"
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// TestAllThatWasEnteredIsPrinted holds that a message begun and not sent is
// given back as the answers are.
func TestAllThatWasEnteredIsPrinted(t *testing.T) {
	w := newWorld(t)
	ask := w.ask(w.session("Names", ""), "The new ship", "")
	draft := questions.Draft{
		Fields:  map[string]questions.Field{"name": {Text: safe.New("Vega")}},
		Message: safe.New("Which dock?"),
	}
	for name, printed := range map[string]string{
		"a lost draft":     strings.Join(lostDraft(ask, draft, errors.New("the disk is full")), "\n"),
		"an overtaken one": overtaken(ask, draft),
	} {
		for _, want := range []string{`"name":"Vega"`, "Your message was: Which dock?"} {
			if !strings.Contains(printed, want) {
				t.Errorf("%s: printed %q, which does not say %q", name, printed, want)
			}
		}
	}
	draft.Message = safe.Text{}
	if printed := overtaken(ask, draft); strings.Contains(printed, "message") {
		t.Errorf("printed %q of no message", printed)
	}
}

// TestNobodyIsSaidToAskAgain holds that the receipt of a decline promises
// nothing of a client that has ended.
func TestNobodyIsSaidToAskAgain(t *testing.T) {
	ask := store.Ask{Client: store.Client{Name: safe.New("planb ask")}, Outcome: questions.Outcome{State: questions.Declined}}
	if got, want := receipt(ask, store.Session{}, false, 1), "Declined; kept for planb ask, which is not waiting"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
