package cli

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planb/cli/ink"
	"planb/questions/safe"
	"planb/store"
)

// The columns stand below each other, whatever scripts the titles have.
func TestSessionsOnATerminal(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	list := []listedSession{
		{Session: store.Session{ID: "00000000-0000-7000-8000-00000000aaaa", Title: safe.New("Retries of the webhook sender, and where they are parked"),
			Client: store.Client{Title: safe.New("Claude Code")}, Project: safe.New("/srv/webhooks"), Updated: now.Add(-2 * time.Hour), Asks: 3, Plans: 2}, Waiting: 1},
		{Session: store.Session{ID: "00000000-0000-7000-8000-00000000bbbb", Title: safe.New("計画を立てる 🦊"),
			Client: store.Client{Name: safe.New("codex")}, Updated: now.AddDate(0, 0, -3), Asks: 1}},
		{Session: store.Session{ID: "00000000-0000-7000-8000-00000000cccc", Title: safe.New("Evil\x1b[31m\rtitle"), Updated: now.AddDate(-1, 0, 0)}},
	}
	for _, width := range []int{120, 80, 40} {
		t.Run(map[int]string{120: "120", 80: "80", 40: "40"}[width], func(t *testing.T) {
			golden.RequireEqual(t, sessionTable(ink.Ink{Width: width, Terminal: true}, list, now))
		})
	}
}
