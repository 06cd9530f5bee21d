package tui

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/markdown"
	"planb/tui/wording"
)

// reviewState is what a person has said of a plan so far, and where they are in
// it. It knows no terminal.
type reviewState struct {
	text     safe.Text
	lines    []string // of text, without their ends
	outline  []plans.Section
	blocks   []int // the lines with which paragraphs and their like begin
	digest   string
	readOnly bool

	review review.Review
	edited safe.Text // what the person made of the text themselves; zero if they did not
	old    []oldComment
	begun  []byte // what the review was, before anything was said in it
	// carried says what became of the lines of comments that were made on the
	// version before, of which this one took the place.
	carried map[string]review.State

	cursor reviewSpot
	anchor int // the line a selection begins at; 0 for none

	undone  []reviewMoment
	changes int // counts what the person changed
}

// reviewSpot is where the cursor is: on a line of the plan, or on a comment below it.
type reviewSpot struct {
	line    int
	comment string // its id
}

// reviewMoment is what undo goes back to.
type reviewMoment struct {
	review review.Review
	edited safe.Text
	cursor reviewSpot
}

// mostUndone bounds what undo remembers.
const mostUndone = 200

func newReviewState(text safe.Text, readOnly bool) *reviewState {
	s := &reviewState{
		text: text, lines: planLines(text.Raw()), outline: plans.Outline(text), digest: plans.Digest(text), readOnly: readOnly,
	}
	s.review.Digest = s.digest
	s.blocks = planBlocks(s.lines)
	s.cursor.line = 1
	s.begun = s.encoded()
	return s
}

// planLines are the lines of a text as comments count them.
func planLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// planBlocks are the numbers of the lines that follow an empty one. Code between
// fences is one block.
func planBlocks(lines []string) []int {
	var blocks []int
	var fence markdown.Fence
	blank := true
	for i, line := range lines {
		inside := fence.Open()
		fence.Read(line)
		empty := strings.TrimSpace(line) == ""
		if !inside && blank && !empty {
			blocks = append(blocks, i+1)
		}
		if !inside {
			blank = empty
		}
	}
	return blocks
}

// reviewEntry is a review that is still being written, as it is kept: a review
// with the text that its Edited is the digest of.
type reviewEntry struct {
	review.Review
	EditedText safe.Text               `json:"editedText,omitzero"`
	Carried    map[string]review.State `json:"carried,omitempty"`
}

func (s *reviewState) encoded() []byte {
	r := reviewEntry{s.review, s.edited, s.carried}
	r.Edited = ""
	if !s.edited.IsZero() {
		r.Edited = plans.Digest(s.edited)
	}
	text, err := json.Marshal(r)
	if err != nil { // texts, numbers and lists of them always can be
		panic(fmt.Sprintf("tui: a review cannot be encoded: %v", err))
	}
	return text
}

// on is a comment's place of some lines, as review.On makes it; false if they are
// not there.
func (s *reviewState) on(from, to int) (review.Comment, bool) {
	if from < 1 || to < from || to > len(s.lines) {
		return review.Comment{}, false
	}
	return review.Comment{From: from, To: to, Quote: safe.New(strings.Join(s.lines[from-1:to], "\n"))}, true
}

// save is the review as a part of the form's entry: nothing, as long as it is what
// it was in the beginning.
func (s *reviewState) save() questions.Field {
	text := s.encoded()
	if bytes.Equal(text, s.begun) {
		return questions.Field{}
	}
	return questions.Field{Text: safe.New(string(text))}
}

// remember makes what is now what undo goes back to.
func (s *reviewState) remember() {
	r := s.review
	r.Comments, r.Withheld = slices.Clone(r.Comments), slices.Clone(r.Withheld)
	s.undone = append(s.undone, reviewMoment{r, s.edited, s.cursor})
	if len(s.undone) > mostUndone {
		s.undone = slices.Delete(s.undone, 0, 1)
	}
}

// forget takes back a remember after which nothing changed.
func (s *reviewState) forget() { s.undone = s.undone[:len(s.undone)-1] }

// undo goes back by one change; false if there is none.
func (s *reviewState) undo() bool {
	if len(s.undone) == 0 {
		return false
	}
	last := s.undone[len(s.undone)-1]
	s.forget()
	s.review, s.edited, s.cursor, s.anchor = last.review, last.edited, last.cursor, 0
	s.changes++
	return true
}

// comment is the one of an id among those that go to the agent.
func (s *reviewState) comment(id string) (review.Comment, bool) {
	i := s.index(id)
	if i < 0 {
		return review.Comment{}, false
	}
	return s.review.Comments[i], true
}

func (s *reviewState) index(id string) int {
	return slices.IndexFunc(s.review.Comments, func(c review.Comment) bool { return c.ID == id })
}

// put adds a comment, or changes the one of its id.
func (s *reviewState) put(c review.Comment) {
	s.changes++
	if i := s.index(c.ID); i >= 0 {
		s.review.Comments[i] = c
		return
	}
	s.review.Comments = append(s.review.Comments, c)
}

// restore puts back the comment that was there before something was written.
func (s *reviewState) restore(w *composer) {
	if w.old {
		s.put(w.comment)
	} else {
		s.drop(w.comment.ID)
	}
}

// drop removes a comment; false if there is none of that id.
func (s *reviewState) drop(id string) bool {
	i := s.index(id)
	if i < 0 {
		return false
	}
	s.changes++
	s.review.Comments = slices.Delete(s.review.Comments, i, i+1)
	return true
}

// full reports whether no comment can be added.
func (s *reviewState) full() bool { return len(s.review.Comments) >= review.MaxComments }

// newID is an id that no other comment has.
func newID() string { return rand.Text()[:12] }

// setNote takes what is said of the whole plan.
func (s *reviewState) setNote(text string) {
	s.review.Note = safe.New(text)
	s.changes++
}

// setEdited takes what the person made of the plan; the plan as it is, or nothing
// at all, is no edit.
func (s *reviewState) setEdited(text string) (changed bool) {
	edited := safe.New(text)
	if edited == s.text {
		edited = safe.Text{}
	}
	if edited == s.edited {
		return false
	}
	s.remember()
	s.edited = edited
	s.changes++
	return true
}

// section is the innermost section a line is in; false before the first heading.
func (s *reviewState) section(line int) (plans.Section, bool) {
	i := s.sectionAt(line)
	if i < 0 {
		return plans.Section{}, false
	}
	return s.outline[i], true
}

// sectionAt is its index in the outline, -1 for none.
func (s *reviewState) sectionAt(line int) int {
	at, exact := slices.BinarySearchFunc(s.outline, line, func(section plans.Section, line int) int { return section.Line - line })
	if !exact {
		at--
	}
	return at
}

// hold withholds the section at a line, or takes that back.
func (s *reviewState) hold(line int) (section plans.Section, held, ok bool) {
	if section, ok = s.section(line); !ok {
		return section, false, false
	}
	s.remember()
	s.changes++
	if i, found := slices.BinarySearch(s.review.Withheld, section.Line); found {
		s.review.Withheld = slices.Delete(s.review.Withheld, i, i+1)
		return section, false, true
	} else {
		s.review.Withheld = slices.Insert(s.review.Withheld, i, section.Line)
	}
	return section, true, true
}

// withheld reports whether a line is in a section that is not approved.
func (s *reviewState) withheld(line int) bool {
	for _, section := range s.outline {
		if section.Line > line {
			return false
		}
		if line < section.End && slices.Contains(s.review.Withheld, section.Line) {
			return true
		}
	}
	return false
}

// said reports whether there is anything to say beside a verdict.
func (s *reviewState) said() bool {
	return len(s.review.Comments) > 0 || !s.review.Note.Blank()
}

// complete is the review with a verdict as it goes to the agent, in its JSON.
func (s *reviewState) complete(verdict review.Verdict) ([]byte, error) {
	r := s.review
	r.Verdict = verdict
	if !verdict.Approves() {
		r.Withheld = nil
	}
	r, err := r.Complete(s.text, s.edited)
	if err != nil {
		return nil, err
	}
	text, err := r.JSON()
	if err == nil && len(text) > review.MaxJSONBytes {
		err = fmt.Errorf("the review has %s, and may have %s: shorten it", wording.RoundBytes(len(text)), wording.RoundBytes(review.MaxJSONBytes))
	}
	return text, err
}
