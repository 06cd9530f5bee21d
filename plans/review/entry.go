package review

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/tasks"
	"planb/questions/safe"
)

const (
	// maxUndone is how many changes an Entry can undo.
	maxUndone = 200
	// MaxQuotedBytes limits the lines that one comment is about, because the comment
	// carries them with it.
	MaxQuotedBytes = 256 << 10
)

// Entry is what a person has said so far of one version of a plan, and where they
// are in it. All that it holds is for reading; its methods change it.
type Entry struct {
	Text    safe.Text
	Lines   []string // of Text, without their ends; never empty
	Outline []plans.Section

	Of     Matter
	Review Review
	Edited safe.Text // what the person made of the text; zero if they did not edit it
	// Earlier are the comments of the review before this one.
	Earlier []EarlierComment
	Cursor  Spot

	// carried says what became of the lines of the comments that were made on the
	// version before, which this one replaces.
	carried map[string]State
	begun   []byte // the review before anything was said in it
	undone  []moment
	changes int
}

// Spot is a place in a reviewed plan: a line, or a comment below that line.
type Spot struct {
	Line    int
	Comment string // its id; empty on the line itself
}

// moment is a state that Undo goes back to.
type moment struct {
	review Review
	edited safe.Text
	cursor Spot
}

// NewEntry begins a review of a text in which nothing is said yet.
func NewEntry(text safe.Text) *Entry {
	e := &Entry{
		Text: text, Lines: strings.Split(strings.TrimSuffix(text.Raw(), "\n"), "\n"), Outline: plans.Outline(text), Cursor: Spot{Line: 1},
	}
	e.Review.Digest = plans.Digest(text)
	e.begun = e.encoded()
	return e
}

// kept is an Entry as it is stored: its review, with the edited text beside the
// digest of it.
type kept struct {
	Review
	EditedText safe.Text        `json:"editedText,omitzero"`
	Carried    map[string]State `json:"carried,omitempty"`
}

func (e *Entry) encoded() []byte {
	k := kept{e.Review, e.Edited, e.carried}
	k.Edited = ""
	if !e.Edited.IsZero() {
		k.Edited = plans.Digest(e.Edited)
	}
	text, err := json.Marshal(k)
	if err != nil { // it holds texts, numbers and lists of them, which always can be
		panic(fmt.Sprintf("review: an entry cannot be encoded: %v", err))
	}
	return text
}

// Save returns the entry as it is stored: the zero text while nothing was said.
func (e *Entry) Save() safe.Text {
	text := e.encoded()
	if bytes.Equal(text, e.begun) {
		return safe.Text{}
	}
	return safe.New(string(text))
}

// Changes counts what the person has changed.
func (e *Entry) Changes() int { return e.changes }

// On returns a new comment's place on some lines; false if the text has no such lines.
func (e *Entry) On(from, to int) (Comment, bool) {
	if from < 1 || to < from || to > len(e.Lines) {
		return Comment{}, false
	}
	return Comment{From: from, To: to, Quote: safe.New(strings.Join(e.Lines[from-1:to], "\n"))}, true
}

// Remember notes the present state; the next Undo goes back to it.
func (e *Entry) Remember() {
	r := e.Review
	r.Comments, r.Withheld = slices.Clone(r.Comments), slices.Clone(r.Withheld)
	e.undone = append(e.undone, moment{r, e.Edited, e.Cursor})
	if len(e.undone) > maxUndone {
		e.undone = slices.Delete(e.undone, 0, 1)
	}
}

// Forget undoes a Remember after which nothing changed.
func (e *Entry) Forget() { e.undone = e.undone[:len(e.undone)-1] }

// Undo goes back by one change; false if there is none.
func (e *Entry) Undo() bool {
	if len(e.undone) == 0 {
		return false
	}
	last := e.undone[len(e.undone)-1]
	e.Forget()
	e.Review, e.Edited, e.Cursor = last.review, last.edited, last.cursor
	e.changes++
	return true
}

// NewCommentID returns an id that no other comment has.
func NewCommentID() string { return rand.Text()[:12] }

// Comment finds a comment by its id among those that go to the agent.
func (e *Entry) Comment(id string) (Comment, bool) {
	i := e.index(id)
	if i < 0 {
		return Comment{}, false
	}
	return e.Review.Comments[i], true
}

func (e *Entry) index(id string) int {
	return slices.IndexFunc(e.Review.Comments, func(c Comment) bool { return c.ID == id })
}

// Full reports whether no comment can be added.
func (e *Entry) Full() bool { return len(e.Review.Comments) >= MaxComments }

// Put adds a comment, or replaces the one with its id.
func (e *Entry) Put(c Comment) {
	e.changes++
	if i := e.index(c.ID); i >= 0 {
		e.Review.Comments[i] = c
		return
	}
	e.Review.Comments = append(e.Review.Comments, c)
}

// Drop removes a comment; false if no comment has that id.
func (e *Entry) Drop(id string) bool {
	i := e.index(id)
	if i < 0 {
		return false
	}
	e.changes++
	e.Review.Comments = slices.Delete(e.Review.Comments, i, i+1)
	return true
}

// SetNote replaces what is said of the whole plan.
func (e *Entry) SetNote(text string) {
	e.Review.Note = safe.New(text)
	e.changes++
}

// addNote adds to what is said of the whole plan.
func (e *Entry) addNote(text string) {
	e.Review.Note = safe.New(strings.TrimSpace(e.Review.Note.Raw() + "\n\n" + text))
}

// Edit takes over the plan as it came back from an editor. The plan as it was is no
// edit. The error says why the text cannot be the plan.
func (e *Entry) Edit(text string) (changed bool, err error) {
	// Editors end the last line, whether it was ended before or not.
	for _, end := range []string{"\n", "\r\n"} {
		if bare := strings.TrimSuffix(text, end); bare == e.Text.Raw() {
			text = bare
		}
	}
	switch {
	case safe.New(text).Blank():
		return false, errors.New("a plan cannot be empty")
	case strings.Contains(text, "\x00"):
		return false, nil
	}
	return e.setEdited(safe.New(text)), nil
}

func (e *Entry) setEdited(edited safe.Text) (changed bool) {
	if edited == e.Text {
		edited = safe.Text{}
	}
	if edited == e.Edited {
		return false
	}
	e.Remember()
	e.Edited = edited
	e.changes++
	return true
}

// SectionAt returns the index in Outline of the innermost section that a line is in;
// -1 before the first heading.
func (e *Entry) SectionAt(line int) int { return sectionAt(e.Outline, line) }

// Hold holds back the innermost section at a line, or no longer holds it back. It
// returns that section, and false for ok if there is no heading above the line.
func (e *Entry) Hold(line int) (section plans.Section, held, ok bool) {
	at := e.SectionAt(line)
	if at < 0 {
		return plans.Section{}, false, false
	}
	section = e.Outline[at]
	e.Remember()
	e.changes++
	i, found := slices.BinarySearch(e.Review.Withheld, section.Line)
	if found {
		e.Review.Withheld = slices.Delete(e.Review.Withheld, i, i+1)
		return section, false, true
	}
	e.Review.Withheld = slices.Insert(e.Review.Withheld, i, section.Line)
	return section, true, true
}

// Withheld reports whether a line is in a section that is held back.
func (e *Entry) Withheld(line int) bool {
	for _, section := range e.Outline {
		if section.Line > line {
			return false
		}
		if line < section.End && slices.Contains(e.Review.Withheld, section.Line) {
			return true
		}
	}
	return false
}

// Without returns the nodeKeys of the tasks that an approval leaves out; nothing for what is no plan
// of tasks.
func (e *Entry) Without() []string {
	if e.Of == OfPlan || len(e.Review.Withheld) == 0 {
		return nil
	}
	keys := tasks.HeldBack(e.Text, e.Review.Withheld)
	if e.Edited.IsZero() {
		return keys
	}
	left := tasks.Keys(e.Edited)
	return slices.DeleteFunc(keys, func(key string) bool { return !slices.Contains(left, key) })
}

// Said reports whether there are comments, or a note on the whole.
func (e *Entry) Said() bool { return len(e.Review.Comments) > 0 || !e.Review.Note.Blank() }

// Complete returns the review with a verdict as it goes to the agent, in its JSON.
func (e *Entry) Complete(verdict Verdict) ([]byte, error) {
	r := e.Review
	r.Verdict = verdict
	if !verdict.Approves() {
		r.Withheld = nil
	}
	if without := e.Without(); len(r.Withheld) > 0 && e.Of != OfPlan {
		if r.Of, r.Without = e.Of, without; len(without) == 0 {
			r.Of, r.Withheld = OfPlan, nil // the person's edit has none of those tasks
		}
	}
	r, err := r.Complete(e.Text, e.Edited)
	if err != nil {
		return nil, err
	}
	text, err := r.JSON()
	if err == nil && len(text) > MaxJSONBytes {
		err = fmt.Errorf("the review has %.1f MB, and may have %d MB: shorten it", float64(len(text))/(1<<20), MaxJSONBytes>>20)
	}
	return text, err
}

// Lines returns the lines of a comment as the person changes them in a suggestion. They end in LF
// alone, because a text that is typed has no CR.
func (c Comment) Lines() safe.Text { return safe.New(withoutCR(c.Quote.Raw())) }

// withoutCR returns lines, whose last one has lost its LF, without the CR before each LF.
func withoutCR(lines string) string {
	return strings.TrimSuffix(strings.ReplaceAll(lines+"\n", "\r\n", "\n"), "\n")
}

// Meant returns a comment as it goes to the agent, and whether it says anything. A
// suggestion that leaves the lines as they are is no suggestion; its reason is a remark.
func (c Comment) Meant() (Comment, bool) {
	switch {
	case c.Kind == Deletion:
		return c, true
	case c.Kind == Suggestion && strings.TrimSuffix(withoutCR(c.Instead.Raw()), "\n") != strings.TrimSuffix(c.Lines().Raw(), "\n"):
		return c, true
	case c.Kind == Suggestion:
		c.Kind, c.Instead = Remark, safe.Text{}
	}
	return c, !c.Text.Blank()
}
