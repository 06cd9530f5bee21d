package scripts_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
)

// past fills the store with asks and plans of 100 days ago and of today. The
// sessions are …1 (ended, two plans), …2 (ended, a hostile title, a plan), …5
// (ended, a long title), …3 (old, with an open ask), …4 (of today, the plan of
// …2 again).
func past(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: past")
	}
	dir := ts.Getenv("PLANB_DATA_DIR")
	ctx := context.Background()
	ts.Check(os.MkdirAll(dir, 0o700))
	engine, err := bolt.Open(ctx, filepath.Join(dir, "planb.db"), bolt.Options{})
	ts.Check(err)
	defer engine.Close() // everything is written, or the script has failed
	now := time.Now()
	s := store.New(engine, store.Options{Now: func() time.Time { return now }})
	fill := func(number int, title string, ends bool, plans ...string) {
		session, err := s.CreateSession(ctx, store.Session{
			ID:      fmt.Sprintf("00000000-0000-7000-8000-%012d", number),
			Title:   safe.New(title),
			Project: safe.New("/home/me/project"),
		})
		ts.Check(err)
		spec := questions.Spec{Title: safe.New("Name the project"), Questions: []questions.Question{
			{ID: "name", Kind: questions.LongText, Label: safe.New("What shall it be called?")},
		}}
		ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: spec})
		ts.Check(err)
		if ends {
			_, err = s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Declined})
			ts.Check(err)
			ts.Check(s.Deliver(ctx, ask.ID))
		}
		for i, text := range plans {
			_, _, err := s.SavePlan(ctx, session.ID, "", text)
			ts.Check(err)
			path := filepath.Join(dir, "plans", session.ID, fmt.Sprintf("v%d.md", i+1))
			ts.Check(os.MkdirAll(filepath.Dir(path), 0o700))
			ts.Check(os.WriteFile(path, []byte(text), 0o600))
		}
	}
	now = now.Add(-100 * 24 * time.Hour)
	fill(1, "A walking skeleton", true, "# First", "# Second")
	fill(2, "Evil\x1b[31m\r\ntitle", true, "# Shared")
	fill(5, strings.Repeat("long ", 1000), true)
	fill(3, "Still to be answered", false)
	now = time.Now()
	fill(4, "Of today", true, "# Shared")
}
