package retro

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// topLine is the first line of the plan on the screen.
func topLine(r *tuitest.Rig) string {
	p := r.Top().(*Plan)
	return strings.TrimSpace(strings.Split(r.Text(), "\n")[screen.HeaderLines+p.aboveText()])
}

// chapters is a plan with that many headings, 20 lines apart, of three levels.
func chapters(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%s Chapter %d\n\n%s[notes]\n\n", strings.Repeat("#", 1+i%3), i, strings.Repeat("Some words about it, quite many of them, so that they shareText two lines.\n\n", 8))
	}
	return text.String() + "[notes]: https://example.org\n"
}

func TestOutlineGoesToHeadings(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"one piece": 30, "many pieces": 200} {
		t.Run(name, func(t *testing.T) {
			w := tuitest.NewWorld(t)
			session := w.Session("Names", "")
			w.Save(session, "", chapters(n))
			r := tuitest.Open(t, newPlan(pastOf(w), session, 1), 80, 24, themes.None())
			r.Keys("o")
			r.Shows("Outline", "Chapter 0 · v1", "▌ Chapter 0", "    Chapter 1 ", "line 1 ", "line 21\n")
			r.Keys("down down down down enter")
			if got := topLine(r); got != "Chapter 4" {
				t.Errorf("it went to %q", got)
			}
			r.Keys("o")
			r.Shows("▌   Chapter 4")
			r.Keys("end enter")
			if got := topLine(r); got != fmt.Sprintf("Chapter %d", n-1) {
				t.Errorf("the last heading is at %q", got)
			}
			r.Keys("o esc home o")
			r.Shows("▌ Chapter 0")
			r.Keys("down enter")
			r.Send(tea.WindowSizeMsg{Width: 50, Height: 24})
			if got := topLine(r); got != "Chapter 1" {
				t.Errorf("in another width it is at %q", got)
			}
		})
	}
}

func TestOutlineOfNothing(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "")
	w.Save(session, "", "No heading.\n\n```\n# nor here\n```\n")
	r := tuitest.Open(t, newPlan(pastOf(w), session, 1), 80, 24, themes.None())
	r.Keys("o")
	r.Shows("This version has no headings.")
	r.Keys("w")
	r.Shows("No answer came between this version and the one before, and it cites none.")
}

// Answers and the versions they led to are linked both ways.
func TestWhatLedWhere(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, _ := told(w)
	w.Save(session, "Third", "# Third\n\n"+strings.Repeat("Words.\n\n", 60)+"See [q:name] and [q:nothing\x1b].\n")
	r := tuitest.Open(t, NewSession(pastOf(w), session), 80, 30, themes.None())
	r.Keys("home down down w")
	r.Shows("Where it led", "▌ Plan v3, line 123 cites: What is it called? → Vega", "Plan v2, line 3 cites: What is it called? → Vega", "Then came plan v1  A plan", "Then came plan v2", "Then came plan v3  Third")
	r.Keys("enter")
	r.Shows("Third · v3", "+121 −3 · cites 1 answer", "See (answer: Vega) and (answer to “nothing␛”).")
	r.Keys("d m").Shows("− The first is Vega (answer: Vega).")
	r.Keys("esc")
	r.Keys("w")
	r.Shows("What led to v3", "▌ Line 123 cites: What is it called? → Vega", "Line 123 cites “nothing␛”: no earlier answer has this question")
	r.Keys("enter")
	r.Shows("What is it called?", "Vega")
	r.Keys("esc")
	r.Shows("What led to v3")
	r.Keys("esc home w down enter")
	r.Shows("See (answer: Vega) and", "100%")
	r.Keys("p p")
	r.Shows("A plan · v1", "+3 −0 · follows from: answered “The new ship”")
	r.Keys("w")
	r.Shows("▌ ✓ Answered: The new ship")
	r.Keys("esc esc esc") // to the list of the answer's, and the story
	r.Keys("end w")
	r.Shows("What led to v3", "cites: What is it called? → Vega")
	r.Keys("down enter")
	r.Shows("See (answer: Vega) and")
	r.Keys("esc esc home w")
	r.Shows("No answer or plan is known to be linked")
}

// What a version follows from is cut with an ellipsis, though its title has what stands between
// the parts of the line.
func TestWhatLedToAVersionIsCutVisibly(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.SecondRound(review.RequestChanges)
	r := tuitest.Open(t, newPlan(pastOf(w), w.Sessions()[0], 2), 80, 24, themes.None())
	r.Shows("follows from: reviewed “changes requested · v1")
	for _, row := range strings.Split(r.Text(), "\n") {
		if row = strings.TrimRight(row, " "); strings.Contains(row, "follows from") && !strings.HasSuffix(row, "…") && !strings.HasSuffix(row, "”") {
			t.Errorf("the row ends without an ellipsis: %q", row)
		}
	}
}

func TestPlanShowsALineAsSoonAsItCan(t *testing.T) {
	t.Parallel()
	state := planState{height: 10}
	state.setText(safe.New(chapters(200)))
	if len(state.sections) < 3 {
		t.Fatalf("%d sections", len(state.sections))
	}
	renderer := markdown.New(themes.None().Palette, 0)
	goal := state.sections[1].Line + 20
	state.goTo(goal)
	for i := range state.sections {
		state.add(renderer.Render(state.sections[i].Text, 60))
		if reached := state.goal == 0; reached != (i > 0) {
			t.Fatalf("after section %d of %d the line is shown: %v", i, len(state.sections), reached)
		}
	}
	if got := state.lineInView(); got != goal {
		t.Errorf("line %d is in view, not %d", got, goal)
	}
	if len(state.sources) != len(state.lines) {
		t.Errorf("%d lines have %d sources", len(state.lines), len(state.sources))
	}
	before := 0
	for i, span := range state.sources {
		if !span.IsZero() && span.From < before {
			t.Fatalf("line %d shows line %d of the text, below one that shows %d", i, span.From, before)
		}
		before = max(before, span.From)
	}
	state.goTo(goal)
	state.scroll(1)
	if state.goal != 0 {
		t.Error("who scrolls is taken elsewhere")
	}
}

func TestAnswersStandInTheirForm(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openSession(w, w.Sessions()[0], 80, 24, themes.None())
	r.Keys("home down enter")
	r.Shows("When to stop retrying", "What is it called?", "after a day")
}

func TestPlanVersions(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openSession(w, w.Sessions()[0], 80, 30, themes.None())
	r.Keys("end enter")
	r.Shows("Delivery, again · v2", "latest of 2", "Nobody has asked for more.")
	r.Hides("newer")
	r.Keys("n")
	r.Shows("This is the latest version.")
	r.Keys("p")
	r.Shows("v1", "of 2", "one queue per customer")
	r.Hides("latest", "Nobody has asked for more.", "older")
	r.Keys("p")
	r.Shows("There is no older version.")
	r.Keys("n")
	r.Shows("latest of 2")
}

func TestPlanScrollsAndPans(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "")
	var text strings.Builder
	text.WriteString("```text\nleft " + strings.Repeat("- ", 60) + "right\n```\n")
	for i := range 100 {
		fmt.Fprintf(&text, "\nParagraph %d.\n", i)
	}
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", text.String()); err != nil {
		t.Fatal(err)
	}
	r := tuitest.Open(t, newPlan(pastOf(w), session, 1), 80, 24, themes.None())
	r.Shows("left", "Paragraph 0.", "wide code")
	for range 20 {
		r.Keys("right")
	}
	r.Shows("right")
	r.Hides("left")
	for range 20 {
		r.Keys("left")
	}
	r.Shows("left")
	r.Keys("end")
	r.Shows("Paragraph 99.", "100%")
	r.Keys("pgup")
	r.Hides("Paragraph 99.")
	r.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	r.Keys("home")
	r.Shows("left")
	// Where the whole width is visible, the view does not move.
	r.Send(tea.WindowSizeMsg{Width: 135, Height: 24})
	r.Shows("left", "right")
	r.Hides("wide code")
	r.Keys("right")
	r.Shows("left", "right")
	r.Keys("pgdown")
	r.Hides("left")
	r.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
	r.Shows("Paragraph")
}

// A version without a title is called by its first heading.
func TestAPlanWithoutATitleIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, text, header, row string }{
		{"Move the store", "# Step one", "Move the store · v1", "v1   Move the store"},
		{"", "Intro.\n\n# Step one", "Step one · v1", "v1   Step one"},
		{"", "No heading.", "Untitled · v1", "v1   Untitled"},
		{"", "# " + strings.Repeat("long ", 1<<16), "long long long", "v1   long long long"},
	} {
		w := tuitest.NewWorld(t)
		session := w.Session("Names", "")
		if _, _, err := w.Store.SavePlan(t.Context(), session.ID, c.title, c.text); err != nil {
			t.Fatal(err)
		}
		plan := tuitest.Open(t, newPlan(pastOf(w), session, 1), 80, 24, themes.None())
		if header, _, _ := strings.Cut(plan.Text(), "\n"); !strings.HasPrefix(header, " "+c.header) || len(header) > 200 {
			t.Errorf("the header is %q, want %q", header, c.header)
		}
		tuitest.Open(t, NewSession(pastOf(w), session), 80, 24, themes.None()).Shows(c.row)
	}
}

func TestLargePlanIsThereAtOnce(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "")
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "## A chapter\n\nNumber %d. %s\n\n", i, strings.Repeat("Some words about it. ", 100))
	}
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", text.String()); err != nil {
		t.Fatal(err)
	}
	p := newPlan(pastOf(w), session, 1)
	win := tuitest.NewWindow(t, p, themes.None())
	win.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.Update(p.readText()())
	rendered := p.render()().(planRendered)
	p.Update(rendered)
	if p.state.done != 1 || p.state.complete() || !strings.Contains(p.View().Content, "A chapter") {
		t.Fatalf("after one step %d of %d sections are there", p.state.done, len(p.state.sections))
	}
	p.Update(tooLate(rendered))
	if p.state.done != 1 {
		t.Error("a section of an earlier width was taken")
	}
	for !p.state.complete() {
		p.Update(p.render()())
	}
	if all := strings.Join(p.state.lines, "\n"); strings.Contains(all, "Shown as plain text") || !strings.Contains(all, "Number 299.") {
		t.Error("the plan is not shown as it is")
	}
}

func TestPlanSaysWhatIsNotFormatted(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "")
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", strings.Repeat("a long line ", 10_000)); err != nil {
		t.Fatal(err)
	}
	r := tuitest.Open(t, newPlan(pastOf(w), session, 1), 80, 24, themes.None())
	r.Shows("Shown as plain text", "a long line")
}

func tooLate(msg planRendered) planRendered {
	msg.round--
	return msg
}
