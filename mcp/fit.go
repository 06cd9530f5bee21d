package mcp

import (
	"fmt"
	"log/slog"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/store"
)

const (
	// mostEarlier is how many earlier questions one result announces.
	mostEarlier = 20
	// earlierRoom is kept for naming those that do not fit, moreRoom for counting
	// those that are not even named.
	earlierRoom = 600
	moreRoom    = 120
	// shortText is so short that clip leaves it as it is.
	shortText = 150
	// maxMeta bounds a result as data: clients drop a line of many megabytes, or
	// end the server.
	maxMeta = 1 << 20
)

// announcement is the outcome of an earlier question that comes with a result.
type announcement struct {
	ask  store.Ask
	data data
	text string // tells the outcome
	hint string // says only that there is one, and how to get it
}

// fitter words results so that their clients pass all of them on.
type fitter struct {
	// keep puts a text of an answer into a file that an agent can read.
	keep  func(session, about, file, text string) (path string, err error)
	log   *slog.Logger
	parts parts
}

func newFitter(keep func(session, about, file, text string) (path string, err error), log *slog.Logger) *fitter {
	return &fitter{keep: keep, log: log}
}

// reply is the result as the call's client gets it, in at most so many bytes. It notes
// with the call what counts as delivered once that is written.
func (f *fitter) reply(c *call, r *result, most int) *sdk.CallToolResult {
	c.deliver(f.fit(r, most)...)
	if p := r.part; p != nil && p.last && len(r.carries) > 0 {
		c.ends(partEnd{p.telling.ask, p.piece.name, p.telling.cuts(most)})
	}
	return r.protocol()
}

// fit words the result so that its client passes all of it on, and returns the
// asks whose outcome the agent then has.
func (f *fitter) fit(r *result, most int) (delivers []string) {
	room := most - jsonSize(r.notes...)
	if len(r.earlier) > 0 && r.size() > most {
		room -= earlierRoom
	}
	whole := r.part == nil
	switch {
	case r.part != nil:
		r.tellPart(room) // whether that is all is known when it is written
	case r.telling != nil:
		told := f.tell(r.telling, room)
		r.items, r.data.common().Longer, whole = told.items, told.longer, told.whole
		if !whole && r.telling.ask != "" {
			f.parts.begin(r.telling.ask, told.missing())
		}
	}
	if whole {
		delivers = append(delivers, r.carries...)
	}
	delivers = append(delivers, r.announce(most)...)
	r.clip(most)
	if raw, err := encodeJSON(r.data, ""); err != nil || len(raw) > maxMeta {
		r.data.bound()
	}
	return delivers
}

// size is how long the result is with all that it has to say.
func (r *result) size() int {
	size := jsonSize(r.items...) + jsonSize(r.notes...)
	for _, earlier := range r.earlier {
		size += jsonSize(earlier.text)
	}
	return size
}

// announce tells the outcomes that still fit, and of the others how to get them:
// those are not delivered by that.
func (r *result) announce(most int) (delivers []string) {
	left := most - jsonSize(r.items...) - jsonSize(r.notes...)
	unnamed := 0
	for i, earlier := range r.earlier {
		spare := left
		if i < len(r.earlier)-1 {
			spare -= moreRoom
		}
		text := earlier.text
		switch {
		case i < mostEarlier && jsonSize(text) <= spare:
			r.data.common().Earlier = append(r.data.common().Earlier, earlier.data)
			delivers = append(delivers, earlier.ask.ID)
		case i < mostEarlier && jsonSize(earlier.hint) <= spare:
			text = earlier.hint
		default:
			unnamed++
			continue
		}
		left -= jsonSize(text)
		r.said = append(r.said, text)
	}
	if unnamed > 0 {
		r.said = append(r.said, fmt.Sprintf("%d more earlier questions were answered; planb's next results tell of them.", unnamed))
	}
	return delivers
}

// clip shortens what has no telling of its own: long errors, notes and lists.
func (r *result) clip(most int) {
	for {
		over := jsonSize(r.texts()...) - most
		longest := r.longest()
		if over <= 0 || jsonSize(*longest) <= shortText {
			return // what is short was counted before it came in
		}
		*longest = clipped(*longest, max(jsonSize(*longest)-over, shortText))
	}
}

// texts are all texts of the result, in order.
func (r *result) texts() []string {
	texts := append([]string(nil), r.items...)
	texts = append(texts, r.said...)
	return append(texts, r.notes...)
}

func (r *result) longest() *string {
	var longest *string
	for _, list := range [][]string{r.items, r.said, r.notes} {
		for i := range list {
			if longest == nil || jsonSize(list[i]) > jsonSize(*longest) {
				longest = &list[i]
			}
		}
	}
	return longest
}

// clipped is the beginning of a text, whole lines where it has several, and how
// much is missing.
func clipped(text string, most int) string {
	const missing = 100 // for the words that say so
	shown := fitting(text, most-missing)
	if end := strings.LastIndexByte(shown, '\n'); end > len(shown)/2 {
		return fmt.Sprintf("%s\nand %s more lines", shown[:end], grouped(strings.Count(text[end+1:], "\n")+1))
	}
	return fmt.Sprintf("%s… (%s characters in all)", shown, grouped(characters(text)))
}
