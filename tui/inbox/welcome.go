package inbox

import "planb/tui/screen"

// welcome tells a person whose store is empty what comes here and what they can do.
func (l *Screen) welcome() []string {
	w := screen.Welcome{
		Says: "Nothing has been asked yet.",
		What: "When your agent asks you something, a form opens beside it. It waits here, too.",
		Commands: [][2]string{
			{"planb setup claude", "connects Claude Code or another agent"},
			{"planb demo", "shows it once, without an agent"},
		},
	}
	if !l.deps.Answers {
		w.Says, w.What = "There are no past sessions yet.", "What your agent asks you and plans is kept, and can be read here."
	}
	return l.page.Welcome(w, l.page.BodyLines()-l.aboveList())
}
