package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Clients cut a long result, or hide it in a file of their own. So a result that would be
// too long has only the beginnings of its long texts, and says where the whole texts are.

// Telling words the items of a result, shortened if they must be.
type Telling struct {
	Words func(*Cutter) []string
	// Least is said in place of Words where not even their shortest form fits; it is short.
	Least   []string
	Session string
	About   string // names the readable copies: the ask's id, or another name
	Ask     string // the ask's id; empty if get_answer cannot fetch the texts
	// Whole is what all of it is called; empty: "All that the user said".
	Whole string
	// Again tells the agent how to get the text anew if neither a file nor get_answer
	// has it; empty: "submit the plan again".
	Again string
}

// told is a telling that fits.
type told struct {
	items  []string
	longer []longer
	whole  bool // the agent has everything, or the path of each text that was cut
}

// longer is, as data, a text that was cut.
type longer struct {
	Question   string `json:"question,omitempty"`
	Characters int    `json:"characters"`
	Path       string `json:"path,omitempty"`
	Offset     int    `json:"offset"` // of the first character that is missing
}

// missing returns the names of the texts that the agent has to fetch by get_answer.
func (t told) missing() []string {
	var names []string
	for _, l := range t.longer {
		if l.Path == "" {
			names = append(names, l.Question)
		}
	}
	return names
}

// keeps lists how many characters a long text may keep. The first number that makes the
// result fit is used.
func keeps() []int { return []int{2000, 500, 100} }

// within returns the telling as texts that take at most room bytes as JSON, and the
// pieces that it has cut. The function where gives the sentence that says where the rest
// of a piece is.
func (t *Telling) within(room int, where func(Piece) string) (items []string, cut []Piece) {
	all := t.Words(Uncut())
	if Size(all...) <= room {
		return all, nil
	}
	whole := WholePiece(all)
	for _, keep := range keeps() {
		c := &Cutter{most: keep}
		items := t.Words(c)
		if c.loose {
			c.cut = append(c.cut, whole)
		}
		if items = beside(items, c.cut, where); len(c.cut) > 0 && Size(items...) <= room {
			return items, c.cut
		}
	}
	return append(slices.Clone(t.Least), where(whole)), []Piece{whole}
}

// beside adds the places of the cut pieces: behind the first item, and as the first lines
// of the second.
func beside(items []string, cut []Piece, where func(Piece) string) []string {
	if len(cut) == 0 {
		return items
	}
	lines := make([]string, 0, len(cut)+1)
	for _, p := range cut {
		lines = append(lines, where(p))
	}
	if len(items) < 2 {
		return append(items, strings.Join(lines, "\n"))
	}
	lines = append(lines, items[1])
	return append([]string{items[0], strings.Join(lines, "\n")}, items[2:]...)
}

// cuts returns the names of the pieces that a result of that size would cut.
func (t *Telling) cuts(room int) []string {
	_, cut := t.within(room, func(p Piece) string { return t.where(p, "") })
	names := make([]string, 0, len(cut))
	for _, p := range cut {
		names = append(names, p.Name)
	}
	return names
}

// where says where the whole piece is: in its readable copy, if there is one, and behind a
// call of get_answer.
func (t *Telling) where(p Piece, path string) string {
	name := cmp.Or(t.Whole, "All that the user said")
	if p.Name != "" {
		name = strconv.Quote(p.Name) // an id reads as a word of the sentence
	}
	var places []string
	if path != "" {
		places = append(places, path)
	}
	if t.Ask != "" {
		places = append(places, getAnswerCall(t.Ask, p.Name, p.shown))
	}
	if len(places) == 0 {
		places = append(places, "nowhere, as it could not be written to a file; "+cmp.Or(t.Again, "submit the plan again")+" to have it told anew")
	}
	return fmt.Sprintf("%s is longer than clients pass on: %s characters. All of it: %s.",
		name, Grouped(Characters(p.Text)), strings.Join(places, ", or "))
}

// getAnswerCall is the call that fetches a piece from that character on.
func getAnswerCall(ask, question string, offset int) string {
	return "get_answer " + JSON(struct {
		Ask      string `json:"askId"`
		Question string `json:"question,omitempty"`
		Offset   int    `json:"offset"`
	}{ask, question, offset})
}

// tell words the telling for its agent, and writes the pieces that it cuts into files that
// an agent can read.
func (f *Fitter) tell(t *Telling, room int) told {
	paths := map[string]string{} // by the copies' names
	where := func(p Piece) string {
		path, tried := paths[p.File]
		if !tried {
			var err error
			if path, err = f.keep(t.Session, t.About, p.File, p.Text); err != nil {
				f.log.Warn("the readable copy of a long answer could not be written", "about", t.About, "error", err)
				path = ""
			}
			if Size(path) > room/4 {
				path = "" // an agent could not be told it
			}
			paths[p.File] = path
		}
		return t.where(p, path)
	}
	result := told{whole: true}
	var cut []Piece
	result.items, cut = t.within(room, where)
	for _, p := range cut {
		path := paths[p.File]
		result.longer = append(result.longer, longer{p.Name, Characters(p.Text), path, p.shown})
		result.whole = result.whole && path != ""
	}
	return result
}
