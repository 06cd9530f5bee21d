package tui

import (
	"fmt"
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/markdown"
	"planb/tui/tuitest"
)

func TestPlanSections(t *testing.T) {
	chapter := "# Chapter\n\n" + strings.Repeat("Words and words, see [notes].\n\n", 200) +
		"```sh\n# not a heading\n" + strings.Repeat("echo\n\n", 3000) + "```\n\n"
	raw := strings.Repeat(chapter, 8) + "[notes]: https://example.org\n"
	sections := planSections(safe.New(raw))
	if len(sections) < 4 {
		t.Fatalf("%d KB make %d sections", len(raw)>>10, len(sections))
	}
	const defs = "\n\n[notes]: https://example.org\n"
	var whole strings.Builder
	for i, section := range sections {
		piece, found := strings.CutSuffix(section.text.Raw(), defs)
		if !found {
			t.Errorf("section %d has no link definitions", i)
		}
		whole.WriteString(piece)
		if n := strings.Count(piece, "```"); n%2 != 0 {
			t.Errorf("section %d is cut inside a code block", i)
		}
		if len(piece) > markdown.LongSectionBytes+len(chapter) {
			t.Errorf("section %d has %d KB", i, len(piece)>>10)
		}
	}
	if whole.String() != raw {
		t.Error("the sections are not the plan")
	}
	if small := planSections(safe.New("# A plan")); len(small) != 1 || small[0].text.Raw() != "# A plan" {
		t.Errorf("a small plan became %v", small)
	}
}

func FuzzPlanSections(f *testing.F) {
	f.Add("# a\n\n```\n# b\n```\n", 3000)
	f.Add("~~~~\n```\n~~~\n~~~~\n[x]: y\n", 900)
	f.Fuzz(func(t *testing.T, piece string, times int) {
		if len(piece) == 0 || len(piece) > 1<<10 {
			t.Skip()
		}
		raw := strings.Repeat(piece, min(max(times, 1), 200<<10/len(piece)))
		at := 0
		for i, section := range planSections(safe.New(raw)) {
			text := section.text.Raw()
			// What is behind the section's own text are definitions.
			n := 0
			for n < len(text) && at+n < len(raw) && text[n] == raw[at+n] {
				n++
			}
			if n == 0 {
				t.Fatalf("section %d does not go on where the one before ended", i)
			}
			at += n
		}
		if at < len(raw) {
			t.Fatalf("the sections end at %d of %d", at, len(raw))
		}
	})
}

func TestLargePlanIsThereAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "## A chapter\n\nNumber %d. %s\n\n", i, strings.Repeat("Some words about it. ", 100))
	}
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", text.String()); err != nil {
		t.Fatal(err)
	}
	p := newPlanScreen(Options{Store: w.Store, Now: w.Clock}.browser(false).past(), session, 1)
	win := newWindow(p, only(themes.None()))
	win.resize(80, 24)
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
	w := newWorld(t)
	session := w.Session("Names", "")
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", strings.Repeat("a long line ", 10_000)); err != nil {
		t.Fatal(err)
	}
	b := Options{Store: w.Store, Now: w.Clock}.browser(false)
	r := browseWith(t, newPlanScreen(b.past(), session, 1), 80, 24, themes.None())
	r.shows("Shown as plain text", "a long line")
}

func tooLate(msg planRendered) planRendered {
	msg.round--
	return msg
}

func TestFilterFindsWordsNotLetters(t *testing.T) {
	state := sessionsState{}
	state.replace(nil, []store.Session{
		{ID: "1", Title: safe.New("Webhook delivery"), Project: safe.New("/home/you/hooks")},
		{ID: "2", Title: safe.New("We have been here, okay"), Project: safe.New("/srv/other")},
	}, "", tuitest.Moment)
	state.setFilter("whook", tuitest.Moment) // in order within the word "Webhook", not across the words of the other
	if len(state.rows) != 1 || state.rows[0].index != 0 {
		t.Errorf("the filter lets through %v", state.rows)
	}
	state.setFilter("web other", tuitest.Moment)
	if len(state.rows) != 0 {
		t.Errorf("words of two sessions let through %v", state.rows)
	}
	state.setFilter("", tuitest.Moment)
	if len(state.rows) != 2 {
		t.Errorf("no filter lets through %v", state.rows)
	}
}
