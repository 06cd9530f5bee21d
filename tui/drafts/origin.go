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

// newOrigin is a list of where a section comes from and what rests on it: the steps that it
// was written from, those that are written from it, and its earlier texts. Choosing a step
// opens its section.
func newOrigin(of *Screen, id string) screen.Screen {
	p := of.draft
	step := p.steps[p.at(id)]
	var rows []screen.Row
	add := func(lead string, steps []rules.Step) {
		for _, s := range steps {
			rows = append(rows, screen.Row{
				Text: lead + s.Name, Right: p.standingWords(s),
				Open: func(from screen.Screen) tea.Cmd {
					return screen.Send(screen.Push{Screen: newSection(of, s.ID), Over: from})
				},
			})
		}
	}
	add("", []rules.Step{step})
	add("← ", p.before(step))
	add("→ ", p.after(step))
	for _, v := range p.History[id] {
		rows = append(rows, screen.Row{
			Text: "Earlier text, " + versionWords(v), Right: cells.Join("by "+p.named(v.By), wording.Ago(v.At, p.now)),
			Open: func(screen.Screen) tea.Cmd { return nil },
		})
	}
	const short = 12 // characters of a hash
	hash := p.Draft.Records[id].SHA256
	return screen.NewPick(of.deps.Keys, "Where “"+step.Name+"” comes from", safe.New(hash[:min(len(hash), short)]).Line(), rows, 0)
}

// standingWords say in a line how a step stands, and who wrote it.
func (p *draft) standingWords(s rules.Step) string {
	if st := p.state(s); st != rules.StepWritten && st != rules.StepKept {
		return st.Word()
	}
	return p.about(s)
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
