package drafts

import (
	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// newOrigin is a list of where a section comes from and what rests on it: what it was written
// from, the sections that are written from it, and its earlier texts. Choosing a step opens its
// section.
func newOrigin(of *Screen, id string) screen.Screen {
	p := of.draft
	step := p.steps[p.at(id)]
	var rows []screen.Row
	group := func(heading string, added []screen.Row) {
		if len(added) > 0 {
			added[0].Heading = heading
		}
		rows = append(rows, added...)
	}
	nowhere := func(screen.Screen) tea.Cmd { return nil }
	sections := func(steps []rules.Step) (list []screen.Row) {
		for _, s := range steps {
			list = append(list, screen.Row{
				Text: p.numberCell(s) + " " + s.Name, Right: p.originWords(s, step),
				Open: func(from screen.Screen) tea.Cmd {
					return screen.Send(screen.Push{Screen: newSection(of, s.ID), Over: from})
				},
			})
		}
		return list
	}
	group("This section", sections([]rules.Step{step}))
	from := sections(p.before(step))
	if len(from) == 0 {
		const most = 60 // cells of the prompt
		from = append(from, screen.Row{Text: "Your prompt", Right: "“" + cells.Cut(safe.New(p.Draft.Prompt).Line(), most) + "”", Open: nowhere})
	}
	if guidance := p.guidance(step); guidance != "" {
		from = append(from, screen.Row{Text: "Your guidance", Right: guidance, Open: nowhere})
	}
	group("It is made from", from)
	group("It feeds these, which are written again if it changes", sections(p.after(step)))
	var earlier []screen.Row
	for _, v := range p.History[id] {
		earlier = append(earlier, screen.Row{
			Text: wording.Capital(versionWords(v)), Right: cells.Join("by "+p.named(v.By), wording.Ago(v.At, p.now)), Open: nowhere,
		})
	}
	group("Its earlier texts", earlier)
	return screen.NewPick(of.deps.Keys, "Where “"+step.Name+"” comes from", title(p.Summary), rows, 0)
}

// originWords say in a line how a step stands, and who wrote it; when, only if that was not as
// long ago as for the section whose origin is told.
func (p *draft) originWords(s, of rules.Step) string {
	if st := p.state(s); st != rules.StepWritten && st != rules.StepKept {
		return st.Word()
	}
	if s.ID == of.ID {
		return p.about(s)
	}
	when := wording.Ago(p.acceptedAt(s), p.now)
	if when == wording.Ago(p.acceptedAt(of), p.now) {
		when = ""
	}
	return cells.Join("by "+p.author(s), when)
}

// versionWords say what became of an earlier text.
func versionWords(v runs.Version) string {
	switch v.Why {
	case "edited":
		return "before it was edited"
	case "stale":
		return "which came too late"
	case "retried":
		return "before all was written anew"
	}
	return "replaced"
}
