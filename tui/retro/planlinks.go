package retro

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// readStory reads the answers around the versions, if there are other versions than
// before.
func (p *Plan) readStory() tea.Cmd {
	if p.story != nil && len(p.story.Plans) == len(p.versions) {
		return nil
	}
	d, id := p.deps, p.session.ID
	return screen.Within(func(ctx context.Context) tea.Msg {
		story, err := timeline.Read(ctx, d.Store, id)
		return planStoryRead{p, story, err}
	})
}

// lookInto finds out what the version changed and which answers it cites. It looks into
// one version at a time.
func (p *Plan) lookInto() tea.Cmd {
	if _, known := p.details[p.number]; known || p.looking || p.story == nil {
		return nil
	}
	p.looking = true
	d, story, number := p.deps, p.story, p.number
	return screen.Within(func(ctx context.Context) tea.Msg {
		msg := planDetailRead{p, timeline.Detail{Plan: number}}
		for detail, err := range story.Details(ctx, d.Store, number) {
			if err == nil {
				msg.detail = detail
			}
		}
		return msg
	})
}

// aboveText is how many lines stand between the header and the plan.
func (p *Plan) aboveText() int {
	const least, roomy = 20, 24
	switch {
	case p.page.Height < least:
		return 0
	case p.page.Height < roomy:
		return 1
	}
	return 2
}

// ledLine says how much the version changed, which answers came before it, and how many it
// cites.
func (p *Plan) ledLine() string {
	if p.story == nil {
		return ""
	}
	st := &p.page.Look.Styles
	change := p.details[p.number]
	counts, room := "", p.page.Width-2*screen.ReadMargin
	if change.Counted {
		if before, known := store.PlanBefore(p.story.Plans, p.number); known && before > 0 {
			counts = st.Muted.Render(fmt.Sprintf("since v%d: ", before))
		}
		counts += st.Success.Render(fmt.Sprintf("+%d", change.Added)) + " " + st.Danger.Render(fmt.Sprintf("−%d", change.Removed))
	}
	var parts []string
	if from := ledTo(p.story, p.number); len(from) > 0 {
		parts = append(parts, "follows from: "+strings.Join(from, ", "))
	}
	cited := map[string]bool{}
	for _, c := range change.Citations {
		if c.Ask != "" {
			cited[c.Ask+" "+c.Question] = true
		}
	}
	if len(cited) > 0 {
		parts = append(parts, "cites "+wording.Count(len(cited), "answer"))
	}
	said := cells.Join(parts...)
	if counts != "" {
		room -= cells.Width(counts + cells.Gap)
	}
	if said != "" {
		if cells.Width(said) > room {
			said = cells.Cut(parts[0], room) // titles may have what Join puts between parts
		}
		said = st.Muted.Render(said)
	}
	return strings.Repeat(" ", screen.ReadMargin) + cells.Join(counts, said)
}

// led lists the answers before the version and those it cites.
func (p *Plan) led() []screen.Row {
	if p.story == nil {
		return nil
	}
	return p.deps.ledHere(p.story, p.details[p.number], p.number, p.toLine)
}

// toLine closes a list over the plan and goes to a line.
func (p *Plan) toLine(line int) func(screen.Screen) tea.Cmd {
	return func(from screen.Screen) tea.Cmd {
		return tea.Batch(screen.Send(screen.Close{Screen: from}), screen.Send(planLine{p, line}))
	}
}

func (p *Plan) showLed() tea.Cmd {
	rows := p.led()
	if len(rows) == 0 {
		p.status = "No answer came between this version and the one before, and it cites none."
		return nil
	}
	return screen.Send(screen.Push{Screen: screen.NewPick(p.deps.Keys, fmt.Sprintf("What led to v%d", p.number), "", rows, 0), Over: p})
}

// showOutline lists the headings, with the cursor on the one in view.
func (p *Plan) showOutline() tea.Cmd {
	if len(p.outline) == 0 {
		p.status = "This version has no headings."
		return nil
	}
	top, here, at := 6, p.state.lineInView(), 0
	for i, section := range p.outline {
		top = min(top, section.Level)
		if section.Line <= here {
			at = i
		}
	}
	rows := make([]screen.Row, len(p.outline))
	for i, section := range p.outline {
		rows[i] = screen.Row{Text: section.Title.Line(), Right: fmt.Sprintf("line %d", section.Line), Indent: section.Level - top, Open: p.toLine(section.Line)}
	}
	plan, _ := p.version()
	return screen.Send(screen.Push{Screen: screen.NewPick(p.deps.Keys, "Outline", cells.Join(p.name(plan), fmt.Sprintf("v%d", p.number)), rows, at), Over: p})
}
