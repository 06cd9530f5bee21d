package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/themes"
	"planb/tui/tuitest"
)

// BenchmarkChanges measures how long a person waits for two versions of 300 KB: for the
// first screen, for a key, and for the first rendered screen.
func BenchmarkChanges(b *testing.B) {
	var older, newer strings.Builder
	for i := range 700 {
		part := fmt.Sprintf("## Part %d\n\n%s\n\n- one item of %d\n- another\n\n| a | b |\n|---|---|\n| %d | 2 |\n\n", i, strings.Repeat("What is said about it takes a line. ", 10), i, i)
		older.WriteString(part)
		switch i % 10 {
		case 3:
			part = strings.Replace(part, "takes", "applyRead", 1)
		case 6:
			part = strings.Replace(part, "another", "a third", 1)
		case 9:
			part = ""
		}
		newer.WriteString(part)
	}
	st := store.New(kvtest.NewMap(), store.Options{})
	session, err := st.CreateSession(b.Context(), store.Session{Title: safe.New("Deliver again")})
	for _, text := range []string{older.String(), newer.String()} {
		if err == nil {
			_, _, err = st.SavePlan(b.Context(), session.ID, "", text)
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	open := func(width int) *tuitest.Rig {
		return tuitest.Open(b, New(Deps{Store: st, Now: time.Now, Cited: cited}, session, 1, 2), width, 40, themes.Default(true))
	}
	for _, width := range []int{80, 160} {
		b.Run(fmt.Sprintf("open in %d columns", width), func(b *testing.B) {
			for b.Loop() {
				open(width).Content()
			}
		})
		b.Run(fmt.Sprintf("next change in %d columns", width), func(b *testing.B) {
			r := open(width)
			for b.Loop() {
				r.Update(tea.KeyPressMsg{Code: 'n', Text: "n"})
				r.Content()
			}
		})
		b.Run(fmt.Sprintf("all unfolded in %d columns", width), func(b *testing.B) {
			r := open(width)
			for b.Loop() {
				r.Update(tea.KeyPressMsg{Code: 'u', Text: "u"})
				r.Content()
			}
		})
	}
	b.Run("as read, the first screen", func(b *testing.B) {
		for b.Loop() {
			r := open(80)
			_, cmd := r.Update(tea.KeyPressMsg{Code: 'm', Text: "m"})
			r.Update(cmd())
			r.Content()
		}
	})
	b.Run("as read, all of it", func(b *testing.B) {
		for b.Loop() {
			open(80).Send(tea.KeyPressMsg{Code: 'm', Text: "m"})
		}
	})
}
