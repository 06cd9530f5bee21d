package drafts

import (
	"context"
	"time"

	"github.com/charmbracelet/x/ansi"

	rules "planb/drafts"
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
		row.whole.text = render(preview.Head(p.section(last.ID)))
	}
	return row
}

// preview says what a draft is of, how far it is, who writes what, and how the section begins
// that was written last.
func (d Deps) preview(row listed, p *preview.Lines) {
	st, whole := p.Styles, row.whole
	if p.Tight() { // the row has the title and what happens
		p.Text(st.Muted.Render, whole.prompt, 1)
		whole.previewSteps(p, p.Left())
		return
	}
	standing := row.condition.standing()
	p.Say(st.Title.Render, title(row.Summary), 2)
	p.Add(st.Progress(row.Done, row.Of) + st.Muted.Render(" "+stepCount(row.Done, row.Of)+" steps"+cells.Gap) + st.Role(standing.role).Render(standing.word))
	p.Gap()
	p.Text(st.Text.Render, whole.prompt, max(p.Left()/6, 1))
	p.Gap()
	whole.previewSteps(p, p.Left()/2)
	if whole.last.ID == "" {
		return
	}
	p.Gap()
	p.Rule(cells.Join("Written last: "+whole.last.Name, whole.author(whole.last), wording.Ago(whole.acceptedAt(whole.last), whole.now)))
	p.Gap()
	p.Doc(whole.text.Below(whole.last.Name))
}

// previewSteps names the steps at which the draft stands, and those that come after them, on at
// most that many lines.
func (p *whole) previewSteps(to *preview.Lines, most int) {
	for _, state := range []rules.StepState{rules.StepForYou, rules.StepFailed, rules.StepInWork, rules.StepAgain, rules.StepNext, rules.StepLater} {
		for _, s := range p.stepsIn(state) {
			if most--; most < 0 {
				return
			}
			p.previewStep(to, s)
		}
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
