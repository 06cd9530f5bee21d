package inbox

import (
	"fmt"
	"strings"

	"planb/tui/cells"
	"planb/tui/wording"
)

// ringWords say in one line who asks what in which project; of several asks, how many
// there are and who asks.
func ringWords(asks []Waiting) string {
	if len(asks) == 0 {
		return ""
	}
	if len(asks) == 1 {
		w := asks[0]
		const titleCells = 60
		does := " asks: "
		if w.Ask.Spec.Plan != nil {
			does = " wants a plan reviewed: "
		}
		return cells.Join(wording.Agent(w.Ask.Client)+does+cells.Cut(w.Ask.Spec.Title.Line(), titleCells), wording.ProjectName(w.Session))
	}
	var from []string
	seen := map[string]bool{}
	for _, w := range asks {
		if who := cells.Join(wording.Agent(w.Ask.Client), wording.ProjectName(w.Session)); !seen[who] {
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
