package tasks

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/screen"
	"planb/tui/wording"
)

// why lists why the task under the cursor is not ready. From there the person goes to the
// tasks that it waits for. A single reason that leads nowhere is said in the footer.
func (s *Screen) why() tea.Cmd {
	n := s.task()
	if n == 0 {
		return nil
	}
	p, rows, leads := s.state.plan, []screen.Row(nil), false
	for _, o := range p.obstacles(n) {
		leads = leads || o.Task != 0
		rows = append(rows, screen.Row{
			Text:  wording.Capital(p.obstacle(n, o)),
			Right: p.reachable(o.Task),
			Open: func(from screen.Screen) tea.Cmd {
				s.goTo(o.Task)
				return screen.Send(screen.Close{Screen: from})
			},
		})
	}
	if !leads {
		s.decide.status = p.why(n) + "."
		return nil
	}
	return screen.Send(screen.Push{Screen: screen.NewPick(s.deps.Keys, "Why not ready", p.title(n), rows, 0), Over: s})
}

// reachable names a task to go to; empty for none.
func (p *plan) reachable(n int) string {
	if n == 0 {
		return ""
	}
	return p.key(n)
}

// goTo puts the cursor on a task, on the board and in the graph. A filter that hides the
// task is taken away.
func (s *Screen) goTo(n int) {
	if n == 0 {
		return
	}
	if s.state.filter != "" && !s.state.plan.has(n, s.state.filter) {
		s.typed.Clear()
		s.state.setFilter("")
	}
	s.state.moveTo(n)
	s.layOut()
	s.unfold()
}
