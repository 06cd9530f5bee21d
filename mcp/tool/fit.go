package tool

import (
	"fmt"
	"log/slog"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/plainjson"
)

const (
	// shortText is the most bytes of a text that clip leaves as it is.
	shortText = 150
	// maxMeta bounds a result as data: clients drop a line of many megabytes, or
	// end the server.
	maxMeta = 1 << 20
)

// Fitter words results so that their clients pass all of them on.
type Fitter struct {
	// keep puts a text of an answer into a file that an agent can read.
	keep  func(session, about, file, text string) (path string, err error)
	log   *slog.Logger
	parts parts
}

// NewFitter returns a Fitter that puts what a client would cut into files by keep.
func NewFitter(keep func(session, about, file, text string) (path string, err error), log *slog.Logger) *Fitter {
	return &Fitter{keep: keep, log: log}
}

// Reply returns the result as the call's client gets it, in at most so many bytes of JSON.
// It notes with the call which outcomes count as delivered once the reply is written.
func (f *Fitter) Reply(c *Caller, r *Result, most int) *sdk.CallToolResult {
	for _, told := range f.tellAsides(r, most) {
		c.OnWriting(told.Writing)
	}
	c.deliver(f.fit(r, most)...)
	if p := r.Part; p != nil && p.last && len(r.Carries) > 0 {
		c.ends(partEnd{p.Telling.Ask, p.Piece.Name, p.Telling.cuts(most)})
	}
	return r.protocol()
}

// fit words the result so that its client passes all of it on, and returns the asks whose
// outcome the agent then has.
func (f *Fitter) fit(r *Result, most int) (delivers []string) {
	room := most - Size(r.Notes...)
	if len(r.Earlier) > 0 && r.wants(most) > most {
		room -= earlierRoom
	}
	whole := r.Part == nil
	switch {
	case r.Part != nil:
		r.tellPart(room) // whether that is all is known when it is written
	case r.Telling != nil:
		told := f.tell(r.Telling, room)
		r.Items, r.Data.common().Longer, whole = told.items, append(r.Data.common().Longer, told.longer...), told.whole
		if !whole && r.Telling.Ask != "" {
			f.parts.begin(r.Telling.Ask, told.missing())
		}
	}
	if whole {
		delivers = append(delivers, r.Carries...)
	}
	delivers = append(delivers, r.announce(most)...)
	r.clip(most)
	if raw, err := plainjson.Marshal(r.Data); err != nil || len(raw) > maxMeta {
		r.Data.Bound()
	}
	return delivers
}

// size is how long the result is with all that it has to say.
func (r *Result) size() int {
	size := Size(r.Items...) + Size(r.Notes...)
	for _, earlier := range r.Earlier {
		size += Size(earlier.Text)
	}
	return size
}

// clip shortens texts that have no Telling: long errors, notes and lists.
func (r *Result) clip(most int) {
	for {
		over := Size(r.texts()...) - most
		longest := r.longest()
		if over <= 0 || Size(*longest) <= shortText {
			return // short texts were counted when they were added
		}
		*longest = clipped(*longest, max(Size(*longest)-over, shortText))
	}
}

// texts are all texts of the result, in order.
func (r *Result) texts() []string {
	texts := append([]string(nil), r.Items...)
	texts = append(texts, r.said...)
	return append(texts, r.Notes...)
}

func (r *Result) longest() *string {
	var longest *string
	for _, list := range [][]string{r.Items, r.said, r.Notes} {
		for i := range list {
			if longest == nil || Size(list[i]) > Size(*longest) {
				longest = &list[i]
			}
		}
	}
	return longest
}

// clipped is the beginning of a text, in whole lines if it has several, and how much is
// missing.
func clipped(text string, most int) string {
	const missing = 100 // for the words that say so
	shown := Fitting(text, most-missing)
	if end := strings.LastIndexByte(shown, '\n'); end > len(shown)/2 {
		return fmt.Sprintf("%s\nand %s more", shown[:end], Grouped(strings.Count(text[end+1:], "\n")+1))
	}
	return fmt.Sprintf("%s… (%s characters in all)", shown, Grouped(Characters(text)))
}
