package mermaid

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/markdown/diagram/label"
	"planb/tui/markdown/diagram/sequence"
)

// sequenceReader reads a sequence diagram line by line.
type sequenceReader struct {
	sequence.Diagram
	title  label.Label
	names  []string       // by participant
	byName map[string]int // participants by name
	line   int            // the line that is read, from 1
	open   []openFrame
	group  int // the open box, or -1
	// creating and destroying are the participants that the next message creates or
	// ends; -1 if there is none.
	creating, destroying int
	numbers              numbering
	describing           bool // inside accDescr { … }
}

// openFrame is a frame that has not ended, with the line in which it began.
type openFrame struct {
	word string
	line int
}

// readSequence reads a sequence diagram. The title is empty if no statement gives one.
func readSequence(src source) (s *sequence.Diagram, title label.Label, err error) {
	r := &sequenceReader{byName: map[string]int{}, group: -1, creating: -1, destroying: -1, numbers: numbering{at: 100, step: 100}}
	for _, line := range src.lines {
		r.line = line.number
		for _, statement := range statements(line.text) {
			if err := r.statement(statement); err != nil {
				return nil, nil, err
			}
		}
	}
	if err := r.ended(); err != nil {
		return nil, nil, err
	}
	if len(r.People) == 0 {
		r.line = 0
		return nil, nil, r.wrong("it has no participants")
	}
	return &r.Diagram, r.title, r.placeGroups()
}

// wrong returns an *Error for the current line.
func (r *sequenceReader) wrong(format string, args ...any) error {
	return &Error{Line: r.line, Why: fmt.Sprintf(format, args...)}
}

// quoted returns foreign text as a quotation for a sentence.
func quoted(s string) string {
	return "“" + ansi.Truncate(printable(strings.TrimSpace(s)), 40, "…") + "”"
}

// ended returns an error if the source ends with something open.
func (r *sequenceReader) ended() error {
	if n := len(r.open); n > 0 {
		r.line = r.open[n-1].line
		return r.wrong("%q has no end", r.open[n-1].word)
	}
	if r.group >= 0 {
		return r.wrong("a box has no end")
	}
	if r.creating >= 0 {
		return r.wrong("no message creates %q", r.names[r.creating])
	}
	if r.destroying >= 0 {
		return r.wrong("no message ends %q", r.names[r.destroying])
	}
	return nil
}

// cutWord cuts a line behind its first word. A colon ends the word and is dropped.
func cutWord(line string) (word, rest string) {
	i := strings.IndexAny(line, " \t:{")
	if i < 0 {
		return line, ""
	}
	if line[i] == '{' {
		return line[:i], line[i:]
	}
	return line[:i], strings.TrimSpace(line[i+1:])
}

func (r *sequenceReader) statement(s string) error {
	switch {
	case r.describing:
		r.describing = !strings.Contains(s, "}")
		return nil
	case s == "" || strings.HasPrefix(s, "%%") || strings.HasPrefix(s, "#"):
		return nil
	}
	word, rest := cutWord(s)
	word = strings.ToLower(word)
	if r.group >= 0 && word != "participant" && word != "actor" && word != "end" {
		return r.wrong("a box holds participants only, not %s", quoted(s))
	}
	if read := statementReader(word); read != nil && !startsWithArrow(rest) {
		return read(r, word, rest)
	}
	if m, ok := readMessage(s); ok {
		return r.message(m)
	}
	return r.wrong("%s is not understood", quoted(s))
}

// statementReader returns the method that reads a statement with the given first word; nil if
// there is none.
func statementReader(word string) func(r *sequenceReader, word, rest string) error {
	switch word {
	case "participant", "actor":
		return (*sequenceReader).participant
	case "create":
		return (*sequenceReader).create
	case "destroy":
		return (*sequenceReader).destroy
	case "box":
		return (*sequenceReader).box
	case "note":
		return (*sequenceReader).note
	case "activate", "deactivate":
		return (*sequenceReader).activation
	case "autonumber":
		return (*sequenceReader).autonumber
	case "loop", "alt", "opt", "par", "par_over", "critical", "break", "rect":
		return (*sequenceReader).opened
	case "else", "and", "option":
		return (*sequenceReader).next
	case "end":
		return (*sequenceReader).end
	case "title":
		return (*sequenceReader).titled
	case "acctitle", "accdescr":
		return (*sequenceReader).described
	case "link", "links", "properties", "details":
		return (*sequenceReader).link
	}
	return nil
}

func (r *sequenceReader) titled(_, rest string) error {
	r.title = readText(rest)
	return nil
}

// described skips the description for people who cannot see the diagram. It is not drawn;
// package markdown shows it below the drawing.
func (r *sequenceReader) described(_, rest string) error {
	r.describing = strings.HasPrefix(rest, "{") && !strings.Contains(rest, "}")
	return nil
}

func (r *sequenceReader) add(s sequence.Step) error {
	if len(r.Steps) == maxSteps {
		return r.wrong("it has more than %d steps, the limit for a drawing", maxSteps)
	}
	r.Steps = append(r.Steps, s)
	return nil
}

// person returns the participant with a name, and adds it if the name is new.
func (r *sequenceReader) person(name string) (int, error) {
	if i, known := r.byName[name]; known {
		return i, nil
	}
	if len(r.People) == maxPeople {
		return 0, r.wrong("it has more than %d participants, the limit for a drawing", maxPeople)
	}
	r.byName[name] = len(r.People)
	r.names = append(r.names, name)
	r.People = append(r.People, &sequence.Participant{Label: readText(name), Kind: "participant", Group: -1})
	return len(r.People) - 1, nil
}

func (r *sequenceReader) message(m message) error {
	from, err := r.person(m.from)
	if err != nil {
		return err
	}
	to, err := r.person(m.to)
	if err != nil {
		return err
	}
	for _, i := range []int{from, to} {
		if r.People[i].Destroyed && i != r.destroying {
			return r.wrong("%q has ended and cannot take part in this message", r.names[i])
		}
	}
	step := sequence.Step{Kind: sequence.Message, From: from, To: to, Arrow: m.arrow, Text: messageText(m.text), Destroys: -1}
	if r.creating >= 0 {
		if to != r.creating || from == to {
			return r.wrong("the message after %q has to create it", "create "+r.names[r.creating])
		}
		step.Creates, r.creating = true, -1
	}
	if r.destroying >= 0 {
		if from != r.destroying && to != r.destroying {
			return r.wrong("the message after %q has to end it", "destroy "+r.names[r.destroying])
		}
		step.Destroys, r.destroying = r.destroying, -1
	}
	step.Number = r.numbers.next()
	if err := r.add(step); err != nil || m.sign == 0 {
		return err
	}
	if m.sign == '+' {
		return r.add(sequence.Step{Kind: sequence.Activate, From: to, To: to})
	}
	return r.add(sequence.Step{Kind: sequence.Deactivate, From: from, To: from})
}

func (r *sequenceReader) activation(word, rest string) error {
	i, err := r.named(word, rest)
	if err != nil {
		return err
	}
	kind := sequence.Activate
	if word == "deactivate" {
		kind = sequence.Deactivate
	}
	return r.add(sequence.Step{Kind: kind, From: i, To: i})
}

// named returns the participant that a statement names.
func (r *sequenceReader) named(word, name string) (int, error) {
	if !isName(name) {
		return 0, r.wrong("%q needs the name of a participant", word)
	}
	return r.person(name)
}

func (r *sequenceReader) opened(word, rest string) error {
	if len(r.open) == maxFrames {
		return r.wrong("it nests frames deeper than %d, the limit for a drawing", maxFrames)
	}
	r.open = append(r.open, openFrame{word, r.line})
	step := sequence.Step{Kind: sequence.Open, Frame: strings.TrimSuffix(word, "_over"), Text: messageText(rest)}
	if word == "rect" {
		step.Text = nil // the text of a rect is its colour
	}
	return r.add(step)
}

// next begins the next part of a frame.
func (r *sequenceReader) next(word, rest string) error {
	inside := map[string][]string{"else": {"alt"}, "and": {"par", "par_over"}, "option": {"critical"}}[word]
	if n := len(r.open); n == 0 || !slices.Contains(inside, r.open[n-1].word) {
		return r.wrong("%q stands outside of %q", word, inside[0])
	}
	return r.add(sequence.Step{Kind: sequence.Next, Frame: word, Text: messageText(rest)})
}

func (r *sequenceReader) end(_, _ string) error {
	if r.group >= 0 {
		r.group = -1
		return nil
	}
	if len(r.open) == 0 {
		return r.wrong(`an "end" has nothing to end`)
	}
	r.open = r.open[:len(r.open)-1]
	return r.add(sequence.Step{Kind: sequence.Close})
}

func (r *sequenceReader) note(_, rest string) error {
	step := sequence.Step{Kind: sequence.Note}
	lower := strings.ToLower(rest)
	for _, p := range []struct {
		words string
		place sequence.Place
	}{{"left of ", sequence.LeftOf}, {"right of ", sequence.RightOf}, {"over ", sequence.Over}} {
		if !strings.HasPrefix(lower, p.words) {
			continue
		}
		step.Place = p.place
		names, text, _ := strings.Cut(rest[len(p.words):], ":")
		step.Text = messageText(text)
		one, other, two := strings.Cut(names, ",")
		if !two {
			other = one
		} else if p.place != sequence.Over {
			return r.wrong("a note beside a lifeline has one participant")
		}
		var err error
		if step.From, err = r.named("note", strings.TrimSpace(one)); err != nil {
			return err
		}
		if step.To, err = r.named("note", strings.TrimSpace(other)); err != nil {
			return err
		}
		step.From, step.To = min(step.From, step.To), max(step.From, step.To)
		return r.add(step)
	}
	return r.wrong(`a note stands "left of", "right of" or "over" a participant`)
}

// messageText returns the text of a message, a note or a frame, without a colon that
// stands alone before it, and without the word that tells Mermaid how to wrap it.
func messageText(s string) label.Label {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, ": ") {
		s = s[1:]
	}
	for _, word := range []string{"nowrap:", "wrap:"} {
		if hasPrefixFold(strings.TrimSpace(s), word) {
			s = strings.TrimSpace(s)[len(word):]
		}
	}
	return readText(s)
}

// numbering numbers messages. It counts in hundredths.
type numbering struct {
	on       bool
	at, step int
}

// next returns the number of the next message; empty if messages have no numbers. Every
// message counts.
func (n *numbering) next() (number string) {
	if n.on {
		number = strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%02d", n.at/100, n.at%100), "0"), ".")
	}
	n.at = min(n.at+n.step, 99_999_99)
	return number
}

func (r *sequenceReader) autonumber(_, rest string) error {
	words := strings.Fields(rest)
	if len(words) == 1 && strings.EqualFold(words[0], "off") {
		r.numbers.on = false
		return nil
	}
	if len(words) > 2 {
		return r.wrong(`"autonumber" takes a start and a step`)
	}
	r.numbers.on = true
	if len(words) == 1 {
		r.numbers.step = 100
	}
	for i, word := range words {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil || !(n >= 0 && n <= 99_999) {
			return r.wrong(`"autonumber" takes numbers from 0 to 99999, not %s`, quoted(word))
		}
		*[]*int{&r.numbers.at, &r.numbers.step}[i] = int(n*100 + 0.5)
	}
	return nil
}

// The limits of a sequence diagram. A larger one is of no use on a terminal. Within these
// limits the slowest drawing takes far less than a second.
const (
	maxPeople = 60
	maxSteps  = 1500
	maxFrames = 24 // nesting
)
