package drafts

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/drafts/schedule"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/marks"
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
		return s.say("The schedule is that of the draft " + short(p.Parent) + ", which this one reviews.")
	}
	if over == screen.Screen(s) {
		s.view = asSchedule
	}
	cmd := s.ask(keymap.Flags, p.steps[at], over, prompt.Prompt{Question: "How is the schedule to be made?", Keys: keymap.Placing()})
	s.asked.trying(p.Draft.Flags, p.placed)
	return cmd
}

// trying takes the flags that are being tried, and the schedule that they give.
func (d *decision) trying(f schedule.Flags, placed *schedule.Schedule) { d.flags, d.placed = f, placed }

// tryLines show below the chart what can be chosen and what is chosen, and when all ends then
// and ended before.
func (s *Screen) tryLines(page screen.Page) []string {
	st, f := &page.Look.Styles, s.asked.flags
	const name = 16 // cells of the key and the name of a choice
	lines := []string{page.Rule(), " " + st.Title.Render(cells.Cut(s.asked.Question, page.Width-2))}
	row := func(key, what, value string) {
		lead := " " + st.Strong.Render(cells.Pad(key, 4)) + st.Muted.Render(cells.Pad(what, name-5))
		lines = append(lines, cells.Cut(lead+value, page.Width-1))
	}
	// choose shows two values, the chosen one marked; in a narrow window that one alone.
	choose := func(values [2]string, second bool) string {
		at, drawn := 0, [2]string{}
		if second {
			at = 1
		}
		for i, value := range values {
			if drawn[i] = st.Faint.Render(marks.Unchosen + " " + value); i == at {
				drawn[i] = st.Accent.Render(marks.Chosen) + " " + st.Text.Render(value)
			}
		}
		if both := drawn[0] + "   " + drawn[1]; name+cells.Width(both) < page.Width {
			return both
		}
		return drawn[at]
	}
	row("← →", "At once", st.Text.Render(fmt.Sprintf("at most %d", f.Parallel))+st.Faint.Render(fmt.Sprintf("   of 1 to %d", schedule.MaxParallel)))
	row("p", "Phases", choose([2]string{"overlap", "one after another"}, f.PhaseOrder))
	row("t", "Tasks", choose([2]string{"wait for those that they name", "wait for none"}, !f.Edges))
	row("", "Ends", st.Text.Render(cells.Longest(page.Width-name-1, s.endChanges()...)))
	return lines
}

// endChanges say when all ends with the schedule that is tried, and how that differs from the
// schedule as it is, in ever fewer words.
func (s *Screen) endChanges() []string {
	before, now := lastDay(s.draft.placed), lastDay(s.asked.placed)
	dates, change := fmt.Sprintf("%s → %s", before, now), ""
	switch by := before.DaysUntil(now); {
	case by > 0:
		change = dates + ", " + wording.Count(by, "day") + " later"
	case by < 0:
		change = dates + ", " + wording.Count(-by, "day") + " sooner"
	default:
		dates, change = now.String(), now.String()+", as before"
	}
	missed := cells.Join(change, missedWords(s.asked.placed))
	return []string{cells.Join(missed, rangeWords(s.asked.placed)), missed, change, dates}
}

// missedWords say how many fixed days a schedule misses; empty for none.
func missedWords(placed *schedule.Schedule) string {
	if n := late(placed); n > 0 {
		return "misses " + wording.Count(n, "fixed day")
	}
	return ""
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
