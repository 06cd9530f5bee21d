package drafts

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/drafts/schedule"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// placed is the schedule of the chart: the one that the person tries, else that of the draft.
func (s *Screen) placed() *schedule.Schedule {
	if s.asked != nil && s.asked.placed != nil {
		return s.asked.placed
	}
	return s.draft.placed
}

// flags are those of the schedule in the chart.
func (s *Screen) flags() schedule.Flags {
	if s.asked != nil && s.asked.placed != nil {
		return s.asked.flags
	}
	return s.draft.Draft.Flags
}

// askFlags has the person try how the schedule is to be made. The chart shows what they try.
func (s *Screen) askFlags(over screen.Screen) tea.Cmd {
	p := s.draft
	at := p.at(scheduleStep)
	switch {
	case p.placed == nil:
		return s.say("There is no schedule yet.")
	case !p.Draft.Writes(p.steps[at]):
		return s.say("The schedule is that of the draft " + short(p.Parent) + ", which this one looks back at.")
	}
	if over == screen.Screen(s) {
		s.view = asSchedule
	}
	cmd := s.ask(keymap.Flags, p.steps[at], over, prompt.Prompt{Question: "How is the schedule to be made?", Keys: keymap.Placing()})
	s.asked.trying(p.Draft.Flags, p.placed)
	return cmd
}

// trying words the flags that are being tried, and the schedule that they give.
func (d *decision) trying(f schedule.Flags, placed *schedule.Schedule) {
	d.flags, d.placed = f, placed
	phases, tasks := "overlap", "wait for those that they name"
	if f.PhaseOrder {
		phases = "one after another"
	}
	if !f.Edges {
		tasks = "wait for none"
	}
	missed := ""
	if n := late(placed); n > 0 {
		missed = "misses " + wording.Count(n, "fixed day")
	}
	d.Tells = fmt.Sprintf("← → at most %d at once\np   phases: %s\nt   tasks: %s\n", f.Parallel, phases, tasks) + wording.Capital(cells.Join(endWords(placed), missed)) + "."
}

// try changes the flags that the person tries.
func (s *Screen) try(act keymap.Action) {
	f := s.asked.flags
	switch act {
	case keymap.Left:
		f.Parallel = max(f.Parallel-1, 1)
	case keymap.Right:
		f.Parallel = min(f.Parallel+1, schedule.MaxParallel)
	case keymap.PhaseOrder:
		f.PhaseOrder = !f.PhaseOrder
	case keymap.TaskEdges:
		f.Edges = !f.Edges
	default:
		s.chart.list.Act(act)
		return
	}
	d := s.draft.Draft
	d.Flags = f
	placed, err := s.deps.Schedule(d)
	if err != nil {
		s.say("That gives no schedule: " + wording.Sentence(err))
		return
	}
	s.asked.trying(f, &placed)
}

// place has the schedule be made with other flags.
func (s *Screen) place(f schedule.Flags) tea.Cmd {
	d, id := s.deps, s.draft.ID
	if f == s.draft.Draft.Flags {
		return s.say("The schedule stays as it was.")
	}
	return s.write(func(ctx context.Context) (string, error) {
		_, dirty, err := d.Store.Place(ctx, d.caller(), id, f)
		said := "The schedule is made anew."
		if len(dirty) > 0 {
			said += " To be written again: " + wording.Count(len(dirty), "section") + "."
		}
		return said, err
	})
}
