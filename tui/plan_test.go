package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// topLine is the first line of the plan on the screen.
func (r *browseRig) topLine() string {
	p := r.w.top().(*planScreen)
	return strings.TrimSpace(strings.Split(r.text(), "\n")[screen.HeaderLines+p.aboveText()])
}

// chapters is a plan with that many headings, 20 lines apart, of three levels.
func chapters(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%s Chapter %d\n\n%s[notes]\n\n", strings.Repeat("#", 1+i%3), i, strings.Repeat("Some words about it, quite many of them, so that they take two lines.\n\n", 8))
	}
	return text.String() + "[notes]: https://example.org\n"
}

func TestOutlineGoesToHeadings(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"one piece": 30, "many pieces": 200} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			session := w.Session("Names", "")
			w.Save(session, "", chapters(n))
			r := browseWith(t, newPlanScreen(w.browser().past(), session, 1), 80, 24, themes.None())
			r.keys("o")
			r.shows("Outline", "Chapter 0 · v1", "▸ Chapter 0", "     Chapter 1 ", "line 1\n", "line 21\n")
			r.keys("down down down down enter")
			if got := r.topLine(); got != "Chapter 4" {
				t.Errorf("it went to %q", got)
			}
			r.keys("o")
			r.shows("▸   Chapter 4")
			r.keys("end enter")
			if got := r.topLine(); got != fmt.Sprintf("Chapter %d", n-1) {
				t.Errorf("the last heading is at %q", got)
			}
			r.keys("o esc home o")
			r.shows("▸ Chapter 0")
			r.keys("down enter")
			r.send(tea.WindowSizeMsg{Width: 50, Height: 24})
			if got := r.topLine(); got != "Chapter 1" {
				t.Errorf("in another width it is at %q", got)
			}
		})
	}
}

func TestOutlineOfNothing(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "")
	w.Save(session, "", "No heading.\n\n```\n# nor here\n```\n")
	r := browseWith(t, newPlanScreen(w.browser().past(), session, 1), 80, 24, themes.None())
	r.keys("o")
	r.shows("This version has no headings.")
	r.keys("w")
	r.shows("No answer came between this version and the one before, and it cites none.")
}

// Answers and the versions they led to are linked both ways.
func TestWhatLedWhere(t *testing.T) {
	w := newWorld(t)
	session, _ := w.told()
	w.Save(session, "Third", "# Third\n\n"+strings.Repeat("Words.\n\n", 60)+"See [q:name] and [q:nothing\x1b].\n")
	r := browseWith(t, newSessionScreen(w.browser().past(), session), 80, 30, themes.None())
	r.keys("home down down down w")
	r.shows("Where it led", "▸ Plan v3 cites [q:name] in line 123", "Plan v2 cites [q:name] in line 3", "Then came plan v1  A plan", "Then came plan v2", "Then came plan v3  Third")
	r.keys("enter")
	r.shows("Third · v3", "+121 −3 · cites 1 answer", "See [q:name] and")
	r.keys("w")
	r.shows("What led to v3", "▸ Line 123 cites [q:name]: The new ship", "Line 123 cites [q:nothing␛]: no answer before it has this question")
	r.keys("enter")
	r.shows("What is it called?", "Vega")
	r.keys("esc")
	r.shows("What led to v3")
	r.keys("esc home w down enter")
	r.shows("See [q:name] and", "100%")
	r.keys("p p")
	r.shows("A plan · v1", "+3 −0 · follows from: answered “The new ship”")
	r.keys("w")
	r.shows("▸ Answered: The new ship")
	r.keys("esc esc esc") // to the list of the answer's, and the story
	r.keys("end w")
	r.shows("What led to v3", "cites [q:name]: The new ship")
	r.keys("down enter")
	r.shows("See [q:name] and")
	r.keys("esc esc home w")
	r.shows("It is not known to have led anywhere")
}

func TestPlanShowsALineAsSoonAsItCan(t *testing.T) {
	t.Parallel()
	state := planState{height: 10}
	state.setText(safe.New(chapters(200)))
	if len(state.sections) < 3 {
		t.Fatalf("%d sections", len(state.sections))
	}
	renderer := markdown.New(themes.None().Palette, 0)
	goal := state.sections[1].start + 20
	state.goTo(goal)
	for i := range state.sections {
		state.add(renderer.Render(state.sections[i].text, 60))
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
