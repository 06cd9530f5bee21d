package tui

import (
	"fmt"
	"strings"

	"planb/tui/cells"
	"planb/tui/wording"
)

// ringWords says in one line what came in: who asks what, in which project; of
// several, how many, and from whom.
func ringWords(asks []waitingAsk) string {
	if len(asks) == 1 {
		w := asks[0]
		const titleCells = 60
		does := " asks: "
		if w.ask.Spec.Plan != nil {
			does = " wants a plan reviewed: "
		}
		return cells.Join(wording.Agent(w.ask.Client)+does+cells.Cut(w.ask.Spec.Title.Line(), titleCells), wording.ProjectName(w.session))
	}
	var from []string
	seen := map[string]bool{}
	for _, w := range asks {
		if who := cells.Join(wording.Agent(w.ask.Client), wording.ProjectName(w.session)); !seen[who] {
			seen[who] = true
			from = append(from, who)
		}
	}
	const most = 3
	if more := len(from) - most; more > 0 {
		from = append(from[:most], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%d forms wait for you: %s", len(asks), strings.Join(from, ", "))
}
