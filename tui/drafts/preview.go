package drafts

import (
	"context"
	"fmt"
	"time"

	"github.com/charmbracelet/x/ansi"

	rules "planb/drafts"
	"planb/questions"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/overview"
	"planb/tui/preview"
	"planb/tui/wording"
)

// whole is what the list reads of a draft for its preview.
type whole struct {
	*draft
	prompt safe.Text  // its beginning
	last   rules.Step // the one written last; zero if none is
	head   safe.Text  // the beginning of what it wrote
	text   markdown.Doc
}

// peek reads of a draft of the list what its preview shows.
func (d Deps) peek(ctx context.Context, row listed, render overview.Render) listed {
	p, err := d.readDraft(ctx, row.ID, nil)
	if err != nil {
		row.err = err
		return row
	}
	row.whole = &whole{draft: p, prompt: preview.Head(safe.New(p.Draft.Prompt))}
	var at time.Time
	for _, s := range p.steps { // those of one moment stand in the order in which they were written
		if written := p.acceptedAt(s); p.Draft.Output(s.ID) != nil && !written.Before(at) && !p.section(s.ID).Blank() {
			row.whole.last, at = s, written
		}
	}
	if last := row.whole.last; last.ID != "" {
		row.whole.head = preview.Head(p.section(last.ID))
		row.whole.text = render(row.whole.head)
	}
	return row
}

// preview says of a draft what the row does not: what it is of, who writes what, and what it
// asks the person, or else how the section begins that was written last.
func (d Deps) preview(row listed, p *preview.Lines) {
	st, whole := p.Styles, row.whole
	if p.Tight() {
		p.Text(st.Muted.Render, whole.prompt, 1)
		whole.previewSteps(p, p.Left())
		return
	}
	if p.Beside() { // the row may cut it
		p.Say(st.Title.Render, title(row.Summary), 2)
		p.Parts(st.Muted.Render, cells.Join(short(row.ID), "begun "+wording.Ago(row.Created, d.Now())), 1)
		p.Gap()
	}
	p.Text(st.Text.Render, whole.prompt, max(p.Left()/6, 1))
	p.Gap()
	whole.previewSteps(p, p.Left()/2)
	if asking := whole.stepsIn(rules.StepForYou); len(asking) > 0 && whole.asks(asking[0]) {
		p.Gap()
		p.Rule(asking[0].Name + " asks you")
		p.Gap()
		previewForm(p, whole.forms[asking[0].ID])
		return
	}
	if whole.last.ID == "" {
		return
	}
	p.Gap()
	p.Rule(cells.Join("Written last: "+whole.last.Name, whole.author(whole.last), wording.Ago(whole.acceptedAt(whole.last), whole.now)))
	p.Gap()
	p.Doc(whole.text.Below(whole.last.Name), whole.head)
}

// previewForm shows what a form asks, with what can be answered.
func previewForm(to *preview.Lines, form questions.Spec) {
	const most = 3 // lines of a question
	st := to.Styles
	for _, q := range form.Questions {
		to.Text(st.Strong.Render, q.Label, most)
		if kind := wording.AnswerKind(q); kind != "" {
			to.Say(st.Muted.Render, "  "+kind, 1)
		}
		for _, option := range q.Options {
			to.Hang(st.Text.Render, "  • ", option.Shown().Line())
			if about := option.Description.Line(); about != "" {
				to.Hang(st.Muted.Render, "    ", about)
			}
		}
		to.Gap()
	}
}

// previewSteps names the steps at which the draft stands, and those that come after them, on at
// most that many lines. The last line counts those that have no room.
func (p *whole) previewSteps(to *preview.Lines, most int) {
	var list []rules.Step
	for _, state := range []rules.StepState{rules.StepForYou, rules.StepFailed, rules.StepInWork, rules.StepAgain, rules.StepNext, rules.StepLater} {
		list = append(list, p.stepsIn(state)...)
	}
	more := 0
	if len(list) > most {
		more = len(list) - max(most-1, 0)
	}
	for _, s := range list[:len(list)-more] {
		p.previewStep(to, s)
	}
	if more > 0 && most > 0 {
		to.Add(to.Styles.Faint.Render(fmt.Sprintf("  %d more", more)))
	}
}

// previewStep names a step behind its mark, and at the right how it stands.
func (p *whole) previewStep(to *preview.Lines, s rules.Step) {
	st, state := to.Styles, p.state(s)
	role, name, hint := st.Role(themes.RoleOfStep(state)), st.Text, st.Faint
	switch state {
	case rules.StepLater:
		name = st.Faint
	case rules.StepForYou, rules.StepFailed, rules.StepInWork, rules.StepAgain:
		hint = role
	}
	line := role.Render(state.Mark()) + " " + st.Faint.Render(p.numberCell(s)) + " " + name.Render(s.Name)
	to.Sides(line, "", hint.Render(hintWithin(p.hints(s), to.Room()-ansi.StringWidth(line)-2)))
}
