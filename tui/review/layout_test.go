package review

import (
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/tuitest"
)

// rowOf returns the row of the screen that has a text, from 0. A text with a line end before
// it stands at the left edge.
func (r *planRig) rowOf(text string) int {
	r.T.Helper()
	for i, row := range strings.Split(r.screen(), "\n") {
		if strings.Contains("\n"+row, text) {
			return i
		}
	}
	r.T.Fatalf("%q is not shown:\n%s", text, r.screen())
	return 0
}

// sectionedPlan has more sections than fit on a screen.
func sectionedPlan() string {
	var text strings.Builder
	text.WriteString("# A long plan\n")
	for _, name := range []string{"one", "two", "three", "four", "five", "six"} {
		text.WriteString("\n## Part " + name + "\n\n" + strings.Repeat("A line of "+name+".\n\n", 8))
	}
	return text.String()
}

// A jump brings a heading to the third row, so that its section can be read below it.
func TestAJumpBringsTheHeadingToTheThirdRow(t *testing.T) {
	r := reviewRig(t, sectionedPlan(), 80, 24)
	top := r.rowOf("A long plan") // the first row below the header
	for _, heading := range []string{"Part two", "Part three", "Part four"} {
		if heading == "Part two" {
			r.keys("n")
		}
		if got := r.keys("n").rowOf(heading) - top; got != headingRow {
			t.Errorf("%s is on row %d of the plan, want %d:\n%s", heading, got, headingRow, r.screen())
		}
	}
	if got := r.keys("p").rowOf("Part three") - top; got != headingRow {
		t.Errorf("after p the heading is on row %d of the plan, want %d", got, headingRow)
	}
}

// Wherever the cursor is, a comment is written in the middle third of the screen, with its
// lines above it.
func TestACommentIsWrittenInTheMiddleOfTheScreen(t *testing.T) {
	for _, keys := range []string{"n n n", "n n n up up", "n n n down down down down down down"} {
		r := reviewRig(t, sectionedPlan(), 80, 30).keys(keys)
		line := r.body.State.Cursor.Line
		r.keys("c")
		at := r.body.y
		if third := r.body.height / 3; at < third || at > r.body.height-third {
			t.Errorf("after %s the comment on line %d begins on row %d of %d:\n%s", keys, line, at, r.body.height, r.screen())
		}
		if y := r.body.y; r.write("Why?\nAnd how?").body.y != y {
			t.Errorf("the comment moves from row %d to %d while it is written", y, r.body.y)
		}
	}
}

// The outline leaves out the plan's title, which the header has. It counts the comments of
// each section at its right edge, and marks there the sections that are held back.
func TestTheOutlineCountsAtItsRight(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 120, 34).keys("n down c x ctrl+s n h home")
	rows := strings.Split(r.screen(), "\n")
	edge := -1
	for _, section := range []struct{ name, right string }{{"Why", "●1"}, {"How", "⊘"}, {"Risks", ""}} {
		outline, _, _ := strings.Cut(rows[r.rowOf("\n "+section.name)], "│")
		outline = strings.TrimRight(outline, " ")
		if !strings.HasSuffix(outline, section.right) {
			t.Errorf("the outline has %q, want %q at its right", outline, section.right)
		}
		if section.right == "" {
			continue
		}
		if width := len([]rune(outline)); edge >= 0 && width != edge {
			t.Errorf("%q ends at cell %d, and the row above at %d", outline, width, edge)
		} else {
			edge = width
		}
	}
	if outline, _, _ := strings.Cut(rows[3], "│"); strings.Contains(outline, "Orders") {
		t.Errorf("the outline repeats the title: %q", outline)
	}
}

// A comment stands between empty rows. A suggestion shows the old lines, the new ones, and
// below an empty row the reason.
func TestACommentStandsApart(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 34).keys("n n down s X tab").write("It is shorter.").keys("ctrl+s")
	want := []string{"", "± You · suggestion", "− 1. Read the orders.", "+ 1. Read the orders.X", "", "It is shorter.", ""}
	rows := strings.Split(r.screen(), "\n")
	first := r.rowOf("± You · suggestion") - 1
	for i, text := range want {
		if got := strings.Trim(rows[first+i], " ▎▌"); got != text {
			t.Errorf("row %d is %q, want %q:\n%s", i, got, text, r.screen())
		}
	}
}

// The next version changed the lines of a comment. Its card shows the old words, and leaves
// out the sentence about them that the agent reads.
func TestACommentOnAReplacedVersionShowsItsOldLines(t *testing.T) {
	w := tuitest.NewWorld(t)
	before := strings.Replace(tuitest.ReviewedPlan, "2. Write the file.", "2. Write a file.", 1)
	r := review.Review{Digest: plans.Digest(safe.New(before)), Comments: []review.Comment{
		{ID: "two", Kind: review.Remark, From: 15, To: 15, Quote: safe.New("2. Write a file."), Text: safe.New("Which file?")},
	}}
	in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, ""))
	in.Plan.Begun, in.Plan.Version = review.BegunOn(1, safe.New(before), safe.New(tuitest.ReviewedPlan)), 2
	in.Entry.Fields = map[string]questions.Field{questions.ReviewID: {Text: safe.New(string(tuitest.Must(r.JSON())))}}
	rig := rigReview(t, in, 100, 40)
	for text, want := range map[string]bool{"◆ its lines changed since you said it": true, "Which file?": true, "before  2. Write a file.": true, "This was said": false} {
		if strings.Contains(rig.screen(), text) != want {
			t.Errorf("%q is shown: %v, want %v\n%s", text, !want, want, rig.screen())
		}
	}
	if text := rig.said().Comments[0].Text.Raw(); !strings.Contains(text, "as they were before:\n> 2. Write a file.") {
		t.Errorf("the agent reads %q", text)
	}
}

// TestTheCountOfRemarksCutsNoButton holds that on a narrow screen the number of comments gets
// shorter before a button does.
func TestTheCountOfRemarksCutsNoButton(t *testing.T) {
	r := reviewRig(t, sectionedPlan(), 40, 24).keys("down s").write("Other words. ").keys("ctrl+s")
	r.rowOf(" Approve   Changes   Menu      1 remark")
	r.keys("down s").write("Other words. ").keys("ctrl+s")
	r.rowOf(" Approve   Changes   Menu     2 remarks")
}
