package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planb/cli/ink"
	"planb/plans"
	"planb/questions/safe"
	"planb/store"
	"planb/store/search"
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

// A title in which the words were found is not repeated below itself, nor as the session's. On
// a terminal that cuts it off it is, because the words may be in the rest.
func TestHitSaysItsTitleOnce(t *testing.T) {
	title := safe.New("Orders by the week")
	matching := func(before, match, after string) []search.Piece {
		return []search.Piece{{Text: safe.New(before)}, {Text: safe.New(match), Match: true}, {Text: safe.New(after)}}
	}
	hit := search.Hit{
		Session: store.Session{ID: "00000000-0000-7000-8000-00000000aaaa", Title: title},
		Plan:    store.Plan{Version: plans.Version{Number: 2, Title: title}}, At: time.Now(),
		Excerpts: []search.Excerpt{
			{Field: search.FieldTitle, Line: 1, Pieces: matching("", "Orders", " by the week")},
			{Field: search.FieldPlan, Line: 1, Pieces: matching("# ", "Orders", " by the week")},
			{Field: search.FieldPlan, Line: 7, Pieces: matching("Count the ", "orders", ".")},
		},
	}
	for width, times := range map[int]int{80: 1, 30: 2} {
		card := hitCard(ink.Ink{Width: width, Terminal: true}, hit)
		if flat := strings.Join(strings.Fields(card), " "); strings.Count(flat, "Orders by the week") != times || !strings.Contains(flat, "line 7 Count the orders.") {
			t.Errorf("at %d columns:\n%s", width, card)
		}
	}
}

// What is removed with a session is named before the person agrees to it.
func TestPruningNamesDrafts(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	list := store.Pruning{
		Before: day, Asks: 1, Plans: 1, Drafts: map[string]int{"a": 2},
		Sessions: []store.Session{{ID: "a", Title: safe.New("Workshop"), Updated: day, Asks: 1}, {ID: "b", Title: safe.New("Shop"), Updated: day, Plans: 1}},
	}
	want := `2 sessions last changed before 2026-03-04 12:00, with 1 form, 1 plan version and 2 drafts:

  2026-03-04  Workshop
              1 form · 0 plan versions · 2 drafts
  2026-03-04  Shop
              0 forms · 1 plan version

`
	if got := pruningText(ink.Ink{Width: 100, Terminal: true}, list, false); got != want {
		t.Errorf("it says\n%s\nnot\n%s", got, want)
	}
}
