package retro

import (
	"cmp"
	"strings"
	"time"

	"planb/store"
	"planb/store/runs"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Telling is how an event is told in one row, on a screen or in print.
type Telling struct {
	Mark  string // one cell
	Verb  string
	Style func(*screen.Styles) cells.Style // of the mark
	// Minor: the event matters less than those around it.
	Minor bool
	// Lasted says how long the person took; empty if that is not known.
	Lasted string
}

// Tell returns how the event is told.
func Tell(e timeline.Event) Telling {
	w := kindWords(e)
	if e.Err != nil {
		w.mark, w.tone, w.minor = "!", toneDamaged, false
	}
	return Telling{Mark: w.mark, Verb: w.verb, Style: w.tone, Minor: w.minor, Lasted: lasted(e.Waited)}
}

// Day names the day of a moment, as the story's headings do.
func Day(at, now time.Time) string { return dayOf(at, now) }

// Drafts names the drafts of a session, which come the oldest first, and the command that opens
// them; empty for none.
func Drafts(list []runs.Summary) string {
	if len(list) == 0 {
		return ""
	}
	head, titles := wording.Count(len(list), "draft")+": planb tui drafts  ", make([]string, len(list))
	if len(list) == 1 {
		head = "Draft: planb tui drafts " + store.ShortID(list[0].ID) + "  "
	}
	for i, draft := range list { // the newest stands first
		titles[len(list)-1-i] = wording.Quote(cmp.Or(draft.Title.Line(), draft.Excerpt.Line(), "unreadable"))
	}
	return head + strings.Join(titles, ", ")
}
