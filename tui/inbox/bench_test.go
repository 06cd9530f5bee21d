package inbox

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/keymap"
	"planb/tui/tuitest"
)

// BenchmarkSessions measures what the list spends on a key and on a change elsewhere, with
// 10,000 sessions in it. A frame has 8 ms.
func BenchmarkSessions(b *testing.B) {
	titles := []string{"Retry failed webhooks", "Cache map tiles on the device", "Перенос отчётов в очередь", "検索の改善", "Replace the template engine"}
	sessions := make([]store.Session, 10_000)
	for i := range sessions {
		sessions[i] = store.Session{
			ID: fmt.Sprintf("019aa000-0000-7000-8000-%012d", i), Title: safe.New(titles[i%len(titles)]), Asks: i % 30, Plans: i % 7,
			Project: safe.New(fmt.Sprintf("/home/ana/src/project-%d", i%40)), Client: store.Client{Title: safe.New("Claude Code")},
			Intent:  safe.New("Find out what has to be decided before anything is written: what a receiver may do, how long we try, who is told."),
			Updated: tuitest.Moment.Add(-time.Duration(i) * time.Hour),
		}
	}
	list := func(b *testing.B) *Screen {
		l := New(Deps{Now: func() time.Time { return tuitest.Moment }, After: tuitest.Soon})
		tuitest.NewWindow(b, l, themes.Default(true)).Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		l.state.replace(nil, nil, sessions, "", tuitest.Moment)
		l.layOut()
		return l
	}
	for name, filters := range map[string][]string{
		"filter/letter": {"w", ""}, "filter/word": {"webhoo", "webhook"}, "filter/project": {"project:project-3", "project:project-3 cache"},
		"filter/nothing": {"zzyzx", "zzyz"},
	} {
		b.Run(name, func(b *testing.B) {
			l := list(b)
			for i := 0; b.Loop(); i++ {
				l.typed.Clear()
				l.filter(keymap.None, filters[i%2])
				_ = l.View()
			}
		})
	}
	b.Run("pagedown", func(b *testing.B) {
		l := list(b)
		for b.Loop() {
			l.act(keymap.PageDown)
			_ = l.View()
		}
	})
	b.Run("change", func(b *testing.B) {
		l := list(b)
		for b.Loop() {
			l.state.replace(nil, nil, sessions[:pageSize:pageSize], "more", tuitest.Moment)
			l.layOut()
		}
	})
}
