package retro

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planb/e2e/rig/fakestore"
	"planb/store"
	"planb/store/bolt"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// longestSession is a store in a file with the longest session that is promised to open
// at once: 1,000 asks and 500 versions of 20 KB.
func longestSession(b *testing.B) (*store.Store, store.Session) {
	b.Helper()
	engine, err := bolt.Open(b.Context(), filepath.Join(b.TempDir(), "planb.db"), bolt.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := engine.Close(); err != nil {
			b.Error(err)
		}
	})
	size := fakestore.Size{Sessions: 1, Asks: 1000, Versions: 500, VersionBytes: 20_000, Longest: 500}
	if err := fakestore.Generate(b.Context(), engine, size); err != nil {
		b.Fatal(err)
	}
	s := store.New(engine, store.Options{})
	sessions, _, err := s.Sessions(b.Context(), "", 1)
	if err != nil {
		b.Fatal(err)
	}
	return s, sessions[0]
}

// BenchmarkOpenLongestSession measures the time from Enter on the longest session to its
// story on the screen. Then it measures the reading for the last event, a step up, and the
// comparing of all versions.
func BenchmarkOpenLongestSession(b *testing.B) {
	s, session := longestSession(b)
	look := (*screen.Look)(nil).With(themes.Default(true).Palette)
	open := func(b *testing.B) *Session {
		b.Helper()
		story := NewSession(Deps{Store: s, Now: time.Now, After: screen.After}, session)
		story.Retheme(look)
		story.Resize(120, 40)
		story.Update(story.read()())
		if text := ansi.Strip(story.View().Content); !strings.Contains(text, "Plan v500") || story.state.list.Cursor < 2000 {
			b.Fatalf("this is not the longest session:\n%s", text)
		}
		return story
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			open(b)
		}
	})
	screen := open(b)
	b.Run("peek", func(b *testing.B) {
		for b.Loop() {
			clear(screen.state.specs)
			clear(screen.state.heads)
			screen.peeking = false
			for cmd := screen.peek(); cmd != nil; {
				cmd = screen.Update(cmd())
			}
		}
	})
	b.Run("step", func(b *testing.B) {
		for b.Loop() {
			screen.Update(tuitest.Key(b, "up"))
			if screen.state.list.Cursor == 0 {
				screen.Update(tuitest.Key(b, "end"))
			}
			screen.View()
		}
	})
	b.Run("study", func(b *testing.B) {
		for b.Loop() {
			clear(screen.state.details)
			screen.studying.stop()
			screen.studying = nil
			for cmd := screen.study(); cmd != nil; {
				cmd = screen.Update(cmd())
			}
		}
		if len(screen.state.details) != 500 {
			b.Errorf("%d versions were looked into", len(screen.state.details))
		}
	})
}
