package form

import (
	"errors"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func TestFormHeaderSaysWhoAsks(t *testing.T) {
	const title = "Before the export is written"
	for _, test := range []struct {
		session       string
		width, height int
		want          string // the first row, without when it was asked
		below         string
	}{
		{"Nightly export", 120, 40, title + "   Claude Code · shop · Nightly export", ""},
		{"Nightly export", 80, 24, title + "   Claude Code · shop", "Overview"}, // no room for the session
		{"", 80, 24, title + "   Claude Code · shop", "Overview"},
		{title, 120, 40, title + "   Claude Code · shop", ""},
		{"claude code", 120, 40, title + "   Claude Code · shop", ""}, // said already
		{"Nightly export", 56, 24, title, "Claude Code · shop · Nightly export"},
	} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.Session.Title = safe.New(test.session)
		rows := strings.Split(rig(t, in, test.width, test.height).screen(), "\n")
		got := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rows[0]), "asked at 14:02"))
		if below := strings.TrimSpace(rows[1]); got != test.want || !strings.HasPrefix(below, test.below) {
			t.Errorf("in the session %q at %d×%d the header says %q and below it %q, want %q and %q",
				test.session, test.width, test.height, got, below, test.want, test.below)
		}
	}
}

// answeredBefore returns an ask with an answer to one of the rich form's questions.
func answeredBefore(at time.Time) *store.Ask {
	reply := questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue("old.csv")}}
	return &store.Ask{Outcome: questions.Outcome{State: questions.Answered, At: at, Reply: reply}}
}

// TestFormNoticesLeaveRoom holds that the notices leave the questions most of the screen, that
// the most pressing comes first, and that they tell how many are left out. That the agent left
// needs no row of its own.
func TestFormNoticesLeaveRoom(t *testing.T) {
	for _, test := range []struct {
		width, height, rows int
		more                string
	}{{40, 12, 2, "+4"}, {40, 20, 3, "+3"}, {80, 24, 4, "+2"}, {80, 60, 6, ""}} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.Carried = true
		in.EarlierForm = answeredBefore(tuitest.Moment.AddDate(0, 0, -2))
		in.Entry = questions.Entry{Message: safe.New("why?"), Note: safe.New("in a hurry")}
		r := rig(t, in, test.width, test.height)
		r.send(AgentWaiting{AskID: "the-ask"}).send(EntrySaved{AskID: "the-ask", Err: errors.New("the disk is full")})
		screen := r.screen()
		if rows := strings.Count(screen, "◆"); rows != test.rows || test.more != "" && !strings.Contains(screen, test.more) {
			t.Errorf("%d×%d: %d notices, want %d and %q\n%s", test.width, test.height, rows, test.rows, test.more, screen)
		}
		if !strings.Contains(screen, "the disk is full") || test.height == 60 && !strings.Contains(screen, "Press a to take those answers over.") {
			t.Errorf("%d×%d: the most pressing is missing:\n%s", test.width, test.height, screen)
		}
	}
}

// TestFormNoticesFitNarrowScreens holds that no notice is cut at 40 columns.
func TestFormNoticesFitNarrowScreens(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.Carried = true
	in.EarlierForm = answeredBefore(tuitest.Moment)
	in.Entry = questions.Entry{Message: safe.New("why?")}
	r := rig(t, in, 40, 60)
	for _, expired := range []bool{false, true} {
		r.send(AgentWaiting{AskID: "the-ask", Waits: expired})
		if expired {
			r.in.Ask.Outcome.State = questions.Expired
			r.send(screen.Relaid{})
		}
		for _, line := range strings.Split(r.screen(), "\n") {
			if strings.Contains(line, "◆") && strings.Contains(line, "…") {
				t.Errorf("cut: %s", line)
			}
		}
	}
}

// TestNoticesKeepTheirKey holds that a notice about a key is never cut before it tells what
// the key does.
func TestNoticesKeepTheirKey(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.EarlierForm = answeredBefore(tuitest.Moment)
	for width := 40; width <= 90; width++ {
		if screen := rig(t, in, width, 24).screen(); !strings.Contains(screen, "answers over") {
			t.Fatalf("%d columns:\n%s", width, screen)
		}
	}
}

// TestFormHeaderDropsWholeParts draws the row below the title at all widths: a part of it is
// there whole or not at all, and what a wider row tells first is what matters most.
func TestFormHeaderDropsWholeParts(t *testing.T) {
	const long = "How the nightly export of the shop should write the rows of its tables, and where it should put them"
	for _, test := range []struct {
		title         string
		queued, aside int
		wants         []string // what the row says, from narrow to wide
	}{
		{"Before the export is written", 0, 0, []string{
			"Claude Code · shop", "Claude Code · shop|asked at 14:02", "Claude Code · shop · Nightly export|asked at 14:02",
		}},
		{long, 3, 2, []string{
			"Claude Code · shop|1 of 3", "Claude Code · shop|1 of 3 · 2 more waiting", "Claude Code · shop|form 1 of 3 · 2 more waiting",
			"Claude Code · shop|form 1 of 3 · 2 more waiting · asked at 14:02", "Claude Code · shop · Nightly export|form 1 of 3 · 2 more waiting · asked at 14:02",
		}},
	} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.Ask.Spec.Title = safe.New(test.title)
		in.QueueAt, in.QueueOf, in.Beside = 1, test.queued, test.aside
		wants := test.wants
		for width := 30; width <= 120; width++ {
			rows := strings.Split(rig(t, in, width, 20).screen(), "\n")
			if strings.Contains(rows[0], "Claude") { // there is room beside the title
				break
			}
			got := strings.TrimSpace(rows[1])
			if left, right, both := strings.Cut(got, "  "); both {
				got = left + "|" + strings.TrimSpace(right)
			}
			if len(wants) > 1 && got == wants[1] {
				wants = wants[1:]
			}
			if got != wants[0] {
				t.Errorf("%q at %d columns: the row below the title says %q, want %q", test.title, width, got, wants)
			}
		}
		if len(wants) > 1 {
			t.Errorf("%q: no width from 30 to 120 has %q", test.title, wants[1:])
		}
	}
}

// TestFormHeaderKeepsTheTitle holds that nothing stands beside a title that it would cut.
func TestFormHeaderKeepsTheTitle(t *testing.T) {
	const title = "Before the nightly export of the shop is written"
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.Ask.Spec.Title, in.Own = safe.New(title), true
	in.Session.Title, in.Session.Project = safe.New(""), safe.New("")
	for width := len(title) + 2; width <= 90; width++ {
		row, _, _ := strings.Cut(rig(t, in, width, 20).screen(), "\n")
		if fits := width >= len(title)+4+len("asked at 14:02"); !strings.Contains(row, title) || fits != strings.Contains(row, "asked") {
			t.Errorf("%d columns: %q", width, row)
		}
	}
}

// The block of a tab that has the focus takes in its mark, as the line below it does.
func TestTheFocusedTabHoldsItsMark(t *testing.T) {
	t.Parallel()
	r := richRig(t).keys("right up")
	s := r.q().state
	block := r.look.Styles.Pressed.Render(" " + s.tabs[s.tab].Title.Line() + " " + marks.Required + " ")
	if r.where() != "tabs" || !strings.Contains(r.View().Content, block) {
		t.Errorf("the focus is on %s, and no block is %q:\n%s", r.where(), block, r.screen())
	}
}

// A notice that takes several rows leaves no word alone on the last one.
func TestNoticeLeavesNoWordAlone(t *testing.T) {
	t.Parallel()
	n := Notice{Text: "Since v1 there are two comments that were addressed and three that are sent again unless settled", Whole: true}
	for width := Narrow; width < len(n.Text); width++ {
		if rows := n.lines(width, 4); len(rows) > 1 && !strings.Contains(rows[len(rows)-1], " ") {
			t.Errorf("in %d cells: %q", width, rows)
		}
	}
}
