package review

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv/kvtest"
	"planb/themes"
	hosts "planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// longPlan is a plan of 50,000 lines and 2.5 MB.
func longPlan() string {
	var text strings.Builder
	for i := 1; text.Len() < 2_500_000; i++ {
		switch {
		case i%60 == 1:
			fmt.Fprintf(&text, "## Part %d\n", i/60+1)
		case i%60 == 2, i%60 == 12, i%60 == 30, i%60 == 40:
			text.WriteString("\n")
		case i%60 < 12:
			fmt.Fprintf(&text, "- Step %d is done **before** the next one, see `main.go`.\n", i)
		case i%60 == 31:
			text.WriteString("```go\n")
		case i%60 == 39:
			text.WriteString("```\n")
		case i%60 > 31 && i%60 < 39:
			fmt.Fprintf(&text, "\tfmt.Println(\"step %d of the export\", %d)\n", i, i)
		default:
			fmt.Fprintf(&text, "Orders leave as CSV, once a night, and the %dth waits.\n", i)
		}
	}
	return text.String()
}

// BenchmarkReview measures how long a person waits with a plan of 50,000 lines: for the
// first rendered screen, for a key that moves, a key that jumps, one letter of a comment, and
// the entry with that letter.
func BenchmarkReview(b *testing.B) {
	s := store.New(kvtest.NewMap(), store.Options{})
	session := tuitest.Must(s.CreateSession(b.Context(), store.Session{}))
	text := longPlan()
	plan, _, err := s.SavePlan(b.Context(), session.ID, "", text)
	if err != nil {
		b.Fatal(err)
	}
	ask, _, err := s.OpenAsk(b.Context(), store.Ask{Session: session.ID, Timeout: time.Hour, Spec: questions.ReviewOf(
		safe.New("Long"), questions.PlanRef{Number: plan.Number, Digest: plan.Digest})})
	if err != nil {
		b.Fatal(err)
	}
	host := hosts.NewHost(s, hosts.Options{})
	open := func() *planRig {
		opened := tuitest.Must(host.Read(ask.ID))
		in := reviewed{inputOf(opened.Ask.Spec), opened.Plan}
		in.Ask, in.Session = opened.Ask, opened.Session
		in.ReadOnly = false
		r := rigReview(b, in, 120, 40)
		r.View()
		return r
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			(*screen.Look)(nil).With(themes.Default(true).Palette)
			if r := open(); !strings.Contains(r.screen(), "Step 5 is done before") {
				b.Fatalf("it is not rendered:\n%s", r.screen())
			}
		}
	})
	press := func(name string, keys ...string) {
		b.Run(name, func(b *testing.B) {
			r := open()
			slowest := time.Duration(0)
			i := 0
			for b.Loop() {
				began := time.Now()
				cmd := r.form.Update(tuitest.Key(b, keys[i%len(keys)]))
				r.View()
				slowest = max(slowest, time.Since(began))
				b.StopTimer() // rendering is a command, outside the loop
				r.Run(cmd)
				b.StartTimer()
				i++
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms-slowest")
		})
	}
	press("down", "down")
	press("page", "pgdown")
	press("jump", "end", "home")
	press("heading", "n")
	b.Run("letter", func(b *testing.B) {
		r := open()
		r.keys("n n c")
		for b.Loop() {
			r.Run(r.form.Update(tuitest.Key(b, "x")))
			r.View()
		}
	})
}

// BenchmarkReviewKeepsComment measures the time from the key that keeps a comment on a plan
// of 50,000 lines until the comment is in a store on the disk. To compare, it measures one
// commit there.
func BenchmarkReviewKeepsComment(b *testing.B) {
	engine, err := bolt.Open(b.Context(), filepath.Join(b.TempDir(), "planb.db"), bolt.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := engine.Close(); err != nil {
			b.Error(err)
		}
	})
	s := store.New(engine, store.Options{})
	session := tuitest.Must(s.CreateSession(b.Context(), store.Session{}))
	plan, _, err := s.SavePlan(b.Context(), session.ID, "", longPlan())
	if err != nil {
		b.Fatal(err)
	}
	ask, _, err := s.OpenAsk(b.Context(), store.Ask{Session: session.ID, Timeout: time.Hour, Spec: questions.ReviewOf(
		safe.New("Long"), questions.PlanRef{Number: plan.Number, Digest: plan.Digest})})
	if err != nil {
		b.Fatal(err)
	}
	host := hosts.NewHost(s, hosts.Options{ID: ask.ID})
	opened := tuitest.Must(host.Start())
	in := reviewed{inputOf(opened.Ask.Spec), opened.Plan}
	in.Ask, in.Session = opened.Ask, opened.Session
	r := rigReview(b, in, 120, 40)
	b.Run("comment", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			for _, key := range []string{"home", "n", "enter", "x"} {
				r.form.Update(tuitest.Key(b, key))
			}
			b.StartTimer()
			r.form.Update(tuitest.Key(b, "enter"))
			if _, err := host.Save(ask.ID, r.entry()); err != nil {
				b.Fatalf("it is not saved: %v", err)
			}
			b.StopTimer()
			r.form.Update(tuitest.Key(b, "u"))
			b.StartTimer()
		}
	})
	b.Run("commit", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			entry := questions.Entry{Focus: fmt.Sprint(i)}
			if err := s.SaveEntry(b.Context(), ask.ID, entry); err != nil {
				b.Fatal(err)
			}
		}
	})
}
