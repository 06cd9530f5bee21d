package review

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/tuitest"
)

// TestReviewScreens compares the screens of a review with their golden files. Before you
// accept a change, look at it:  cat testdata/TestReviewScreens/NAME.golden
func TestReviewScreens(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	again, _, _ := w.SecondRound(review.ApproveWithNotes)
	first := w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.ReviewedPlan, "")
	for _, screen := range []struct {
		name string
		keys string
		old  bool // the plan was reviewed before
		in   func(in *reviewed)
	}{
		{name: "first"},
		{name: "comments", keys: "down c W h i c h ? ctrl+s n down x n down s X tab h m ctrl+s } q W h y ? ctrl+j N o w ? ctrl+s n h home"},
		{name: "writing", keys: "n down c A n d ?"},
		{name: "suggesting", keys: "n n down s X tab t o o"},
		{name: "selecting", keys: "n down v down down"},
		{name: "searching", keys: "/ b a n k enter"},
		{name: "verdicts", keys: "x n n h q W h y ? ctrl+s ctrl+s"},
		{name: "approve", keys: "n h a"},
		{name: "request", keys: "x r l e s s"},
		{name: "menu", keys: "esc"},
		{name: "help", keys: "?"},
		{name: "written", keys: "m"},
		{name: "changes", old: true},
		{name: "again", old: true, keys: "esc home tab"},
		{name: "settled", old: true, keys: "esc home tab space"},
		{name: "edited", in: func(in *reviewed) {
			in.Entry.Fields = entryOf(t, func(s *review.Entry) { _, _ = s.Edit(tuitest.ReviewedPlan + "\nMore.\n"); s.SetNote("Almost there.") })
		}},
		{name: "replaced", in: func(in *reviewed) {
			before := strings.Replace(tuitest.ReviewedPlan, "2. Write the file.", "2. Write a file.", 1)
			r := review.Review{Digest: plans.Digest(safe.New(before)), Comments: []review.Comment{
				{ID: "one", Kind: review.Remark, From: 3, To: 3, Quote: safe.New("Orders leave as **CSV**, once a night. The bank reads them"), Text: safe.New("Which bank?")},
				{ID: "two", Kind: review.Remark, From: 15, To: 15, Quote: safe.New("2. Write a file."), Text: safe.New("Which file?")},
			}}
			in.Plan.Begun = review.BegunOn(1, safe.New(before), safe.New(tuitest.ReviewedPlan))
			in.Plan.Begun.Line, in.Plan.Version = 15, 2
			in.Plan.Newer = review.Newer{Number: 3, Text: safe.New(tuitest.ReviewedPlan + "\nMore.\n")}
			in.Entry.Fields = map[string]questions.Field{"review": {Text: safe.New(string(tuitest.Must(r.JSON())))}}
		}},
		{name: "missing", in: func(in *reviewed) {
			in.Plan = &review.Subject{Version: 1, Problem: errors.New("what planb saved is not what the agent submitted")}
		}},
	} {
		for _, look := range tuitest.Looks([][2]int{{40, 20}, {80, 24}, {120, 34}}) {
			t.Run(fmt.Sprintf("%s-%d-%s", screen.name, look.Width, look.Theme.Name), func(t *testing.T) {
				ask := first
				if screen.old {
					ask = again
				}
				in := reviewInput(w, ask)
				if screen.in != nil {
					screen.in(&in)
				}
				r := rigReviewIn(t, in, look.Width, look.Height, look.Theme)
				r.keys(screen.keys)
				golden.RequireEqual(t, r.View().Content)
			})
		}
	}
}

// entryOf returns the fields of a review's entry after something was done to it.
func entryOf(t *testing.T, do func(*review.Entry)) map[string]questions.Field {
	t.Helper()
	s := review.NewEntry(safe.New(tuitest.ReviewedPlan))
	do(s)
	return map[string]questions.Field{"review": {Text: s.Save()}}
}
