package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planb/cli/ink"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// The title of the session says what a form is about. It stands there where it fits, and
// once if the form has the same.
func TestWaitingOnATerminal(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	about := func(title string) store.Session {
		return store.Session{Title: safe.New(title), Client: store.Client{Title: safe.New("Claude Code")}, Project: safe.New("/srv/webhooks")}
	}
	asked := func(id, title string) store.Ask {
		return store.Ask{ID: "00000000-0000-7000-8000-00000000" + id, Spec: questions.Spec{Title: safe.New(title)}, Created: now.Add(-time.Hour)}
	}
	list := []waitingAsk{
		{asked("aaaa", "Before I start"), about("Retries of the webhook sender"), true},
		{asked("bbbb", "Ship it"), about("Ship it"), false},
		{asked("cccc", "計画を立てる"), store.Session{}, false},
	}
	for name, k := range map[string]ink.Ink{"120": {Width: 120}, "80": {Width: 80}, "60": {Width: 60}, "40": {Width: 40}} {
		t.Run(name, func(t *testing.T) { golden.RequireEqual(t, waitingTable(k, list, now)) })
	}
	if got, want := waitingTable(ink.Ink{Width: 120}, list[:1], now), "\n1 waiting. Answer it with planb tui ask 0000aaaa or in planb tui\n"; !strings.HasSuffix(got, want) {
		t.Errorf("of one that waits: %q, want %q at the end", got, want)
	}
}
