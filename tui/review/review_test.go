package review

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/tuitest"
)

// said returns the review as the person has entered it so far.
func (r *planRig) said() review.Review { return r.body.State.Review }

// sentReview returns the review that was sent.
func (r *planRig) sentReview() review.Review {
	r.T.Helper()
	sent, ok := told[form.SettleRequested](r)
	if !ok {
		r.T.Fatalf("nothing was sent:\n%s", r.screen())
	}
	text, _ := sent.Outcome.Reply.Answers[questions.ReviewID].Text()
	return tuitest.Must(review.Parse([]byte(text)))
}

func TestReviewSaysWhatItsKeysSay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		play func(r *planRig)
		want review.Comment // without its id
	}{
		{"a comment", func(r *planRig) { r.keys("down down c").write("Which bank?").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 4, To: 4, Text: safe.New("Which bank?")}},
		{"by enter", func(r *planRig) { r.keys("down enter").write("How?").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 3, To: 3, Text: safe.New("How?")}},
		{"of two lines", func(r *planRig) { r.keys("c").write("a").keys("ctrl+j").write("b").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 1, To: 1, Text: safe.New("a\nb")}},
		{"on selected lines", func(r *planRig) { r.keys("down shift+down c").write("both").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 3, To: 4, Text: safe.New("both")}},
		{"selected upwards", func(r *planRig) { r.keys("n n v p c").write("more").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 6, To: 12, Text: safe.New("more")}},
		{"a question", func(r *planRig) { r.keys("n q").write("why?").keys("ctrl+s") },
			review.Comment{Kind: review.Question, From: 6, To: 6, Text: safe.New("why?")}},
		{"a suggestion", func(r *planRig) { r.keys("n s").write(" now").keys("enter").write("x").keys("ctrl+s") },
			review.Comment{Kind: review.Suggestion, From: 6, To: 6, Instead: safe.New("## Why now\nx")}},
		{"a suggestion with its reason", func(r *planRig) { r.keys("n s").write("?").keys("tab").write("unclear").keys("ctrl+s") },
			review.Comment{Kind: review.Suggestion, From: 6, To: 6, Instead: safe.New("## Why?"), Text: safe.New("unclear")}},
		{"a suggestion of nothing", func(r *planRig) { r.keys("n s ctrl+u ctrl+s") },
			review.Comment{Kind: review.Deletion, From: 6, To: 6}},
		{"a deletion", func(r *planRig) { r.keys("} } x") }, review.Comment{Kind: review.Deletion, From: 6, To: 6}},
		{"a deletion with its reason", func(r *planRig) { r.keys("x enter").write("no").keys("ctrl+s") },
			review.Comment{Kind: review.Deletion, From: 1, To: 1, Text: safe.New("no")}},
		{"changed", func(r *planRig) { r.keys("c").write("a").keys("ctrl+s enter").write("b").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 1, To: 1, Text: safe.New("ab")}},
		{"the second of two undone", func(r *planRig) { r.keys("c").write("a").keys("ctrl+s down x u") },
			review.Comment{Kind: review.Remark, From: 1, To: 1, Text: safe.New("a")}},
		{"deleted, and that undone", func(r *planRig) { r.keys("c").write("a").keys("ctrl+s backspace u") },
			review.Comment{Kind: review.Remark, From: 1, To: 1, Text: safe.New("a")}},
		{"where a search leads", func(r *planRig) { r.keys("/").write("NOBODY OWNS").keys("esc c").write("I do").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 33, To: 33, Text: safe.New("I do")}},
		{"on code", func(r *planRig) { r.keys("/").write("println").keys("esc c").write("log").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 20, To: 20, Text: safe.New("log")}},
		{"on a table's row", func(r *planRig) { r.keys("end up up up up c").write("sure?").keys("ctrl+s") },
			review.Comment{Kind: review.Remark, From: 26, To: 26, Text: safe.New("sure?")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
			test.play(r)
			comments := r.said().Comments
			if len(comments) != 1 {
				t.Fatalf("there are %d comments: %+v\n%s", len(comments), comments, r.screen())
			}
			got := comments[0]
			test.want.Quote = tuitest.Must(review.CommentOn(safe.New(tuitest.ReviewedPlan), test.want.From, test.want.To)).Quote
			test.want.ID = got.ID
			if got != test.want || got.ID == "" {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestReviewSaysNothingByChance(t *testing.T) {
	for name, keys := range map[string]string{
		"an empty comment": "c enter ctrl+s", "a question left": "q esc", "a suggestion as it was": "s ctrl+s",
		"a deletion taken back": "x x", "all undone": "x u u u", "deleted": "x backspace", "a whole comment left": "w esc",
	} {
		t.Run(name, func(t *testing.T) {
			r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
			r.keys(keys)
			if entry := r.entry(); len(entry.Fields) > 0 {
				t.Errorf("the entry is %+v", entry)
			}
			if len(r.said().Comments) > 0 || r.body.Text() != nil || r.Dialog() != "" {
				t.Errorf("something is left:\n%s", r.screen())
			}
		})
	}
}

// Esc in a comment discards what was written: a new comment goes, an old one is as it was.
// Undo brings the text back. Before a long one goes, planb asks.
func TestEscInACommentKeepsNothing(t *testing.T) {
	long := "one two three four five six"
	for _, test := range []struct {
		name string
		play func(r *planRig)
		want []string // what the comments say
		undo []string // and after u
	}{
		{"a new one", func(r *planRig) { r.keys("c").write("Who?").keys("esc") }, nil, []string{"Who?"}},
		{"a question", func(r *planRig) { r.keys("q").write("Who?").keys("esc") }, nil, []string{"Who?"}},
		{"a suggestion", func(r *planRig) { r.keys("n s").write(" now").keys("esc") }, nil, []string{""}},
		{"the reason of a suggestion", func(r *planRig) { r.keys("n s").write(" now").keys("tab").write("unclear").keys("esc") }, nil, []string{"unclear"}},
		{"an old one", func(r *planRig) { r.keys("c").write("Who?").keys("ctrl+s enter").write(" And when?").keys("esc") }, []string{"Who?"}, []string{"Who? And when?"}},
		{"an old one, emptied", func(r *planRig) { r.keys("c").write("Who?").keys("ctrl+s enter ctrl+u esc") }, []string{"Who?"}, nil},
		{"a long one, discarded", func(r *planRig) { r.keys("c").write(long).keys("esc x") }, nil, []string{long}},
		{"a long one, kept", func(r *planRig) { r.keys("c").write(long).keys("esc k") }, []string{long}, nil},
		{"a long one, gone on with", func(r *planRig) { r.keys("c").write(long).keys("esc esc").write(" seven").keys("ctrl+s") }, []string{long + " seven"}, nil},
		{"a long one, changed", func(r *planRig) { r.keys("c").write(long).keys("ctrl+s enter").write(" seven").keys("esc") }, []string{long}, []string{long + " seven"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
			test.play(r)
			says := func(want []string) {
				t.Helper()
				var got []string
				for _, c := range r.said().Comments {
					got = append(got, c.Text.Raw())
				}
				if !slices.Equal(got, want) || r.body.Text() != nil || r.Dialog() != "" {
					t.Errorf("the comments say %q, want %q:\n%s", got, want, r.screen())
				}
			}
			says(test.want)
			if len(test.want) == 0 && len(r.entry().Fields) > 0 {
				t.Errorf("the entry is %+v", r.entry())
			}
			r.keys("u")
			says(test.undo)
			if !strings.Contains(r.screen(), "Undone.") {
				t.Errorf("it does not say that it was undone:\n%s", r.screen())
			}
		})
	}
}

// A suggestion that leaves the lines as they are is none. Its reason becomes a comment.
func TestASuggestionOfTheSameLinesIsNone(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
	r.keys("n s").write("x").keys("backspace ctrl+s")
	if got := r.said().Comments; len(got) > 0 {
		t.Errorf("it is kept as %+v", got)
	}
	r.keys("s tab").write("Why this?").keys("ctrl+s")
	if got := r.said().Comments; len(got) != 1 || got[0].Kind != review.Remark || got[0].Text.Raw() != "Why this?" || !got[0].Instead.IsZero() {
		t.Errorf("its reason is kept as %+v", got)
	}
}

// In a plan whose lines end in CR LF, a suggestion of the same lines is none either, and begins
// with these lines and no other.
func TestASuggestionOfTheSameLinesIsNoneWithCRLF(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	r := rigReview(t, reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), "# Plan\r\n\r\nOne.\r\n\r\nTwo.\r\n", "")), 80, 24)
	r.keys("down s")
	if got := r.body.writes.edit().Text(); got != "One." {
		t.Errorf("it begins with %q", got)
	}
	r.keys("x backspace ctrl+s")
	if got := r.body.State.Review.Comments; len(got) != 0 {
		t.Errorf("said is %+v", got)
	}
}

func TestReviewVerdicts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		play     func(r *planRig)
		verdict  review.Verdict
		note     string
		feedback []string
	}{
		{"approve", func(r *planRig) { r.keys("a enter") }, review.Approve, "", nil},
		{"approve with a comment", func(r *planRig) { r.keys("c").write("ok?").keys("ctrl+s a ctrl+s") },
			review.ApproveWithNotes, "", []string{"approved with notes", "ok?"}},
		{"approve with notes", func(r *planRig) { r.keys("A").write("tests, too").keys("ctrl+s") },
			review.ApproveWithNotes, "tests, too", []string{"tests, too"}},
		{"request changes", func(r *planRig) { r.keys("x r").write("less").keys("ctrl+j").write("more").keys("ctrl+s") },
			review.RequestChanges, "less\nmore", []string{"changes requested", "less\nmore", "### Line 1: delete this"}},
		{"reject", func(r *planRig) { r.keys("R").write("no").keys("ctrl+s") }, review.Reject, "no", []string{"rejected"}},
		{"by the menu of verdicts", func(r *planRig) { r.keys("ctrl+s r ctrl+s") }, review.RequestChanges, "", []string{"no inline comments"}},
		{"by the menu of verdicts, with a comment", func(r *planRig) { r.keys("c").write("ok?").keys("ctrl+s ctrl+s A ctrl+s") },
			review.ApproveWithNotes, "", []string{"approved with notes", "ok?"}},
		{"by the menu", func(r *planRig) { r.keys("esc s a enter") }, review.Approve, "", nil},
		{"with a comment on the whole", func(r *planRig) { r.keys("w").write("well done").keys("ctrl+s a ctrl+s") },
			review.ApproveWithNotes, "well done", []string{"well done"}},
		{"in part", func(r *planRig) { r.keys("n n h a enter") }, review.Approve, "", []string{"Approved in part: sections ", `; not: "How" (line 12).`}},
		{"changes, with a section held back", func(r *planRig) { r.keys("n h r ctrl+s") }, review.RequestChanges, "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
			test.play(r)
			got := r.sentReview()
			if got.Verdict != test.verdict || got.Note.Raw() != test.note || got.Digest != plans.Digest(safe.New(tuitest.ReviewedPlan)) {
				t.Errorf("sent was %+v", got)
			}
			for _, want := range test.feedback {
				if !strings.Contains(got.Feedback.Raw(), want) {
					t.Errorf("the feedback has no %q:\n%s", want, got.Feedback.Raw())
				}
			}
			if err := got.Check(safe.New(tuitest.ReviewedPlan)); err != nil {
				t.Error(err)
			}
		})
	}
}

// The keys of a dialog are in the words of every other one: Tab goes along a row of buttons, the
// arrows go up and down a list.
func TestADialogNamesTheKeysThatLeadToItsItems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys, names string
		width       int
	}{
		{"n h a", "enter choose   tab next button   esc close", 80},
		{"n h a", "enter choose   tab next   esc close", 40},
		{"esc", "enter choose   ↑ ↓ move   esc close", 40},
	} {
		if r := reviewRig(t, tuitest.ReviewedPlan, test.width, 24).keys(test.keys); r.lastRow() != test.names {
			t.Errorf("%s: the keys are %q, want %q", test.keys, r.lastRow(), test.names)
		}
	}
}

// Whoever does not want to review gives no verdict on the plan: the menu, and what follows
// from it, say what is declined.
func TestADeclineIsOfTheReview(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys("esc")
	if !strings.Contains(r.screen(), "Decline to review ") {
		t.Errorf("the menu says not what is declined:\n%s", r.screen())
	}
	r.keys("d")
	for _, want := range []string{"─ Decline to review ─", "you do not want to review this", "ctrl+s decline to review"} {
		if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(r.screen(), "│", "")), " "), want) {
			t.Errorf("%q is not shown:\n%s", want, r.screen())
		}
	}
	r.keys("ctrl+s")
	sent, _ := told[form.SettleRequested](r)
	done := r.form.Input().Ask
	done.Outcome = sent.Outcome
	r.Send(form.Settled{AskID: done.ID, Ask: done})
	if !strings.Contains(r.screen(), "is told that you do not want to review this.") {
		t.Errorf("the end says not what was declined:\n%s", r.screen())
	}
}

// One key never sends a verdict: planb asks once more.
func TestNoSingleKeySendsAVerdict(t *testing.T) {
	t.Parallel()
	for _, k := range append(keymap.Review().All(), keymap.Form().All()...) {
		for _, name := range k.Key.Keys() {
			if name == "shift+enter" || name == "ctrl+backspace" {
				continue // no terminal of the rig's sends these
			}
			r := reviewRig(t, "# Plan\n\nText.\n", 80, 24)
			r.send(tuitest.Key(t, name))
			if _, sent := told[form.SettleRequested](r); sent {
				t.Errorf("%s sends a verdict", name)
			}
		}
	}
}

// A comment is in the entry from its first letter on, and comes back from there.
func TestReviewEntryHoldsWhatIsBeingWritten(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	r := rigReview(t, reviewInput(w, ask), 80, 24)
	r.keys("n h down c").write("Whi")
	in := reviewInput(w, ask)
	in.Entry = r.entry()
	if changed, ok := told[form.EntryChanged](r); !ok || len(changed.Entry.Fields) == 0 {
		t.Fatalf("the holder was told %+v", changed)
	}
	again := rigReview(t, in, 80, 24)
	got := again.said()
	if len(got.Comments) != 1 || got.Comments[0].Text.Raw() != "Whi" || got.Comments[0].From != 8 || len(got.Withheld) != 1 {
		t.Errorf("what comes back is %+v", got)
	}
	var kept review.Review
	if err := json.Unmarshal([]byte(r.entry().Fields[questions.ReviewID].Text.Raw()), &kept); err != nil || kept.Check(safe.New(tuitest.ReviewedPlan)) != nil {
		t.Errorf("the entry is no review: %v", err)
	}
	if !strings.Contains(again.screen(), "Whi") {
		t.Errorf("it is not shown:\n%s", again.screen())
	}
}

// An entry of another version keeps every comment whose lines are there. The others become
// part of the comment on the whole.
func TestReviewEntryOfAnotherVersion(t *testing.T) {
	before := strings.Replace(tuitest.ReviewedPlan, "## Why\n", "## Why\n\nBecause.\n", 1)
	kept := review.Review{Digest: plans.Digest(safe.New(before)), Comments: []review.Comment{
		tuitest.Comment(t, before, 8, 8, review.Remark, "Because of what?"), tuitest.Comment(t, before, 35, 35, review.Question, "Who?"),
	}}
	w := tuitest.NewWorld(t)
	in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, ""))
	in.Entry = questions.Entry{Fields: map[string]questions.Field{questions.ReviewID: {Text: safe.New(string(tuitest.Must(kept.JSON())))}}}
	r := rigReview(t, in, 80, 24)
	got := r.said()
	if len(got.Comments) != 1 || got.Comments[0].From != 33 || got.Check(safe.New(tuitest.ReviewedPlan)) != nil {
		t.Errorf("the comments are %+v", got.Comments)
	}
	if !strings.Contains(got.Note.Raw(), "Because of what?") {
		t.Errorf("the note is %q", got.Note.Raw())
	}
}

func TestReviewReadOnly(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "")
	ask := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	w.Reviewed(ask, tuitest.ReviewedPlan, review.Approve)
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", tuitest.ReviewedPlan+"\nMore.\n"); err != nil {
		t.Fatal(err)
	}
	in := opened(w, ask.ID, true)
	r := rigReview(t, in, 100, 24)
	r.keys("c x s a r R h u space backspace")
	if r.Dialog() != "" || len(r.said().Comments) > 0 {
		t.Errorf("it can be changed:\n%s", r.screen())
	}
	for _, want := range []string{"Approved at 14:07 by you@desk", "v1 is approved, exactly as it is. v2 was written since, and is not approved."} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("%q is not shown:\n%s", want, r.screen())
		}
	}
	r.keys("q")
	if _, left := told[form.LaterRequested](r); !left {
		t.Error("q does not close it")
	}
}

// A finished comment is saved at once, not at the next pause.
func TestAKeptCommentIsSavedAtOnce(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
	r.keys("c").write("Hm")
	if _, told := told[form.EntryDone](r); told {
		t.Error("a comment that is being written is said to be done")
	}
	r.keys("ctrl+s")
	if done, told := told[form.EntryDone](r); !told || done.AskID != r.form.Input().Ask.ID {
		t.Error("the holder is not told that it is done")
	}
}

func TestReviewOfAPlanThatIsNotThere(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "")
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Timeout: time.Hour,
		Spec: questions.ReviewOf(safe.New("Gone"), questions.PlanRef{Number: 3, Digest: strings.Repeat("0", 64)})})
	if err != nil {
		t.Fatal(err)
	}
	r := rigReview(t, reviewInput(w, ask), 80, 24)
	r.keys("c x a r d e / w n down end ctrl+s")
	if r.Dialog() != "" || !strings.Contains(r.screen(), "▲ v3 cannot be shown: ") || !strings.Contains(r.screen(), "Ask the agent to submit it again.") || !strings.Contains(r.lastRow(), "m reply to the agent") {
		t.Errorf("a plan that is not there is reviewed:\n%s", r.screen())
	}
	r.keys("m").write("there is none").keys("ctrl+s")
	if sent, ok := told[form.SettleRequested](r); !ok || sent.Outcome.State != questions.Discuss {
		t.Errorf("it cannot be replied to:\n%s", r.screen())
	}
}

func TestReviewByMouse(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
	click := func(what string) {
		t.Helper()
		for y, line := range strings.Split(r.screen(), "\n") {
			if x := strings.Index(line, what); x >= 0 {
				r.send(tea.MouseClickMsg{X: ansi.StringWidth(line[:x]), Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("%q is not on the screen:\n%s", what, r.screen())
	}
	click("the bank asked")
	if at := r.body.State.Cursor; at != (review.Spot{Line: 9}) {
		t.Fatalf("the cursor is at %+v", at)
	}
	r.keys("c").write("Who there?").keys("ctrl+s")
	click("nobody types")
	click("Who there?")
	click("Who there?")
	r.write(" When?").keys("ctrl+s")
	if got := r.said().Comments; len(got) != 1 || got[0].Text.Raw() != "Who there? When?" {
		t.Errorf("the comments are %+v\n%s", got, r.screen())
	}
	top := r.screen()
	r.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown}).send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if r.screen() != top {
		t.Errorf("down and up is elsewhere:\n%s\nwas\n%s", r.screen(), top)
	}
	click("Request changes")
	if r.Dialog() == "" {
		t.Error("the button does nothing")
	}
}

// A search that begins while what changed is shown searches the plan.
func TestASearchInWhatChangedIsInThePlan(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask, _, _ := w.SecondRound(review.RequestChanges)
	r := rigReview(t, reviewInput(w, ask), 80, 24)
	r.keys("/").write("total")
	if at := r.body.State.Cursor.Line; r.body.diff != nil || !strings.Contains(r.body.State.Lines[at-1], "totals") {
		t.Errorf("the cursor is on line %d:\n%s", at, r.screen())
	}
}

// A jump to a heading shows what stands below it.
func TestAHeadingIsShownWithWhatIsBelowIt(t *testing.T) {
	text := "# A long plan\n"
	for i := range 12 {
		text += fmt.Sprintf("\n## Section %d\n\n%s", i, strings.Repeat(fmt.Sprintf("Paragraph of %d.\n\n", i), i%4+1))
	}
	r := reviewRig(t, text+strings.Repeat("\nAnd so on.\n", 30), 80, 24)
	for i := range 12 {
		r.keys("n")
		lines := strings.Split(r.screen(), "\n")
		at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, fmt.Sprintf("Section %d", i)) })
		if at < 0 || at > len(lines)/2+2 {
			t.Fatalf("after %d times n too little is seen below Section %d:\n%s", i+1, i, r.screen())
		}
	}
}

// The notice that the agent left moves no line of the plan.
func TestTheAgentsLeavingMovesNoLineOfThePlan(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 10}} {
		w := tuitest.NewWorld(t)
		in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, ""))
		in.AgentWaits = true
		r := rigReview(t, in, size[0], size[1]).keys("down")
		was, told := strings.Split(r.screen(), "\n"), 0
		for i, row := range strings.Split(r.send(form.AgentWaiting{AskID: in.Ask.ID}).screen(), "\n") {
			if strings.Contains(row, "◆ The agent") {
				told++
			} else if row != was[i] {
				t.Errorf("%v: row %d was %q and is %q", size, i, was[i], row)
			}
		}
		if told != 1 {
			t.Errorf("%v: %d rows say that the agent left:\n%s", size, told, r.screen())
		}
	}
}

// A search tells which of how many lines it is on. No text is kept, so nothing warns of
// passwords.
func TestASearchCountsWhatItFinds(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
	r.keys("/").write("e")
	first := r.lastRow()
	if !strings.Contains(first, "  1 of ") || strings.Contains(r.screen(), "passwords") {
		t.Errorf("the search shows %q:\n%s", first, r.screen())
	}
	if now := r.keys("enter").lastRow(); !strings.Contains(now, "  2 of ") {
		t.Errorf("one match further it shows %q", now)
	}
	if now := r.keys("up").lastRow(); now != first {
		t.Errorf("back again it shows %q, not %q", now, first)
	}
	if now := r.write("qqq").lastRow(); !strings.Contains(now, "not found") {
		t.Errorf("without a match it shows %q", now)
	}
}

// TestAnEditOfAnEarlierPaneCanBeTakenBack holds that the menu takes back an edit that undo does
// not know, because the person made it before they closed the review.
func TestAnEditOfAnEarlierPaneCanBeTakenBack(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.ReviewedPlan, ""))
	if r := rigReview(t, in, 80, 24).keys("esc"); strings.Contains(r.screen(), "Take back") {
		t.Errorf("without an edit the menu says\n%s", r.screen())
	}
	in.Entry.Fields = entryOf(t, func(s *review.Entry) { _, _ = s.Edit(tuitest.ReviewedPlan + "\nMore.\n") })
	r := rigReview(t, in, 80, 24).keys("esc")
	if !strings.Contains(r.screen(), "Take back your edit") {
		t.Fatalf("the menu says\n%s", r.screen())
	}
	r.keys("u")
	if text := r.entry().Fields["review"].Text; !text.IsZero() || !strings.Contains(r.screen(), "The plan is again as it was submitted.") {
		t.Errorf("the entry holds %s, and the screen says\n%s", text.Raw(), r.screen())
	}
	r.keys("u")
	if text := r.entry().Fields["review"].Text.Raw(); !strings.Contains(text, "More.") {
		t.Errorf("undone, the entry holds %s", text)
	}
}
