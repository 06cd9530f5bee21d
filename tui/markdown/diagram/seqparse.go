package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// seqReader reads a sequence diagram line by line.
type seqReader struct {
	sequence
	title  label
	byName map[string]int
	line   int // the line that is read, from 1
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
func readSequence(src source) (s *sequence, title label, err error) {
	r := &seqReader{byName: map[string]int{}, group: -1, creating: -1, destroying: -1}
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
	if len(r.people) == 0 {
		r.line = 0
		return nil, nil, r.wrong("it has no participants")
	}
	return &r.sequence, r.title, r.placeGroups()
}

// wrong returns a *readError for the current line.
func (r *seqReader) wrong(format string, args ...any) error {
	return &readError{line: r.line, why: fmt.Sprintf(format, args...)}
}

// quoted returns foreign text as a quotation for a sentence.
func quoted(s string) string {
	return "“" + ansi.Truncate(printable(strings.TrimSpace(s)), 40, "…") + "”"
}

// ended returns an error if the source ends with something open.
func (r *seqReader) ended() error {
	if n := len(r.open); n > 0 {
		r.line = r.open[n-1].line
		return r.wrong("%q has no end", r.open[n-1].word)
	}
	if r.group >= 0 {
		return r.wrong("a box has no end")
	}
	if r.creating >= 0 {
		return r.wrong("no message creates %q", r.people[r.creating].name)
	}
	if r.destroying >= 0 {
		return r.wrong("no message ends %q", r.people[r.destroying].name)
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

// statement reads one statement.
func (r *seqReader) statement(s string) error {
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
	if read := seqWords(word); read != nil && !startsWithArrow(rest) {
		return read(r, word, rest)
	}
	if m, ok := readMessage(s); ok {
		return r.message(m)
	}
	return r.wrong("%s is not understood", quoted(s))
}

// seqWords returns the method that reads a statement with the given first word; nil if
// there is none.
func seqWords(word string) func(r *seqReader, word, rest string) error {
	switch word {
	case "participant", "actor":
		return (*seqReader).participant
	case "create":
		return (*seqReader).create
	case "destroy":
		return (*seqReader).destroy
	case "box":
		return (*seqReader).box
	case "note":
		return (*seqReader).note
	case "activate", "deactivate":
		return (*seqReader).activation
	case "autonumber":
		return (*seqReader).autonumber
	case "loop", "alt", "opt", "par", "par_over", "critical", "break", "rect":
		return (*seqReader).opened
	case "else", "and", "option":
		return (*seqReader).next
	case "end":
		return (*seqReader).end
	case "title":
		return (*seqReader).titled
	case "acctitle", "accdescr":
		return (*seqReader).described
	case "link", "links", "properties", "details":
		return (*seqReader).link
	}
	return nil
}

func (r *seqReader) titled(_, rest string) error {
	r.title = readText(rest)
	return nil
}

// described skips the description for people who cannot see the diagram. It is not drawn;
// package markdown shows it below the drawing.
func (r *seqReader) described(_, rest string) error {
	r.describing = strings.HasPrefix(rest, "{") && !strings.Contains(rest, "}")
	return nil
}

// add adds a step.
func (r *seqReader) add(s seqStep) error {
	if len(r.steps) == maxSeqSteps {
		return r.wrong("it has more than %d steps, the limit for a drawing", maxSeqSteps)
	}
	r.steps = append(r.steps, s)
	return nil
}

// person returns the participant with a name, and adds it if the name is new.
func (r *seqReader) person(name string) (int, error) {
	if i, known := r.byName[name]; known {
		return i, nil
	}
	if len(r.people) == maxPeople {
		return 0, r.wrong("it has more than %d participants, the limit for a drawing", maxPeople)
	}
	r.byName[name] = len(r.people)
	r.people = append(r.people, &participant{name: name, label: readText(name), kind: "participant", group: -1})
	return len(r.people) - 1, nil
}

func (r *seqReader) message(m message) error {
	from, err := r.person(m.from)
	if err != nil {
		return err
	}
	to, err := r.person(m.to)
	if err != nil {
		return err
	}
	for _, i := range []int{from, to} {
		if r.people[i].destroyed && i != r.destroying {
			return r.wrong("%q has ended and cannot take part in this message", r.people[i].name)
		}
	}
	step := seqStep{kind: seqMessage, from: from, to: to, arrow: m.arrow, text: messageText(m.text), destroys: -1}
	if r.creating >= 0 {
		if to != r.creating || from == to {
			return r.wrong("the message after %q has to create it", "create "+r.people[r.creating].name)
		}
		step.creates, r.creating = true, -1
	}
	if r.destroying >= 0 {
		if from != r.destroying && to != r.destroying {
			return r.wrong("the message after %q has to end it", "destroy "+r.people[r.destroying].name)
		}
		step.destroys, r.destroying = r.destroying, -1
	}
	step.number = r.numbers.next()
	if err := r.add(step); err != nil || m.sign == 0 {
		return err
	}
	if m.sign == '+' {
		return r.add(seqStep{kind: seqActivate, from: to, to: to})
	}
	return r.add(seqStep{kind: seqDeactivate, from: from, to: from})
}

func (r *seqReader) activation(word, rest string) error {
	i, err := r.named(word, rest)
	if err != nil {
		return err
	}
	kind := seqActivate
	if word == "deactivate" {
		kind = seqDeactivate
	}
	return r.add(seqStep{kind: kind, from: i, to: i})
}

// named returns the participant that a statement names.
func (r *seqReader) named(word, name string) (int, error) {
	if !isName(name) {
		return 0, r.wrong("%q needs the name of a participant", word)
	}
	return r.person(name)
}

func (r *seqReader) opened(word, rest string) error {
	if len(r.open) == maxFrames {
		return r.wrong("it nests frames deeper than %d, the limit for a drawing", maxFrames)
	}
	r.open = append(r.open, openFrame{word, r.line})
	step := seqStep{kind: seqOpen, frame: strings.TrimSuffix(word, "_over"), text: messageText(rest)}
	if word == "rect" {
		step.text = nil // the text of a rect is its colour
	}
	return r.add(step)
}

// next begins the next part of a frame.
func (r *seqReader) next(word, rest string) error {
	inside := map[string][]string{"else": {"alt"}, "and": {"par", "par_over"}, "option": {"critical"}}[word]
	if n := len(r.open); n == 0 || !slices.Contains(inside, r.open[n-1].word) {
		return r.wrong("%q stands outside of %q", word, inside[0])
	}
	return r.add(seqStep{kind: seqNext, frame: word, text: messageText(rest)})
}

func (r *seqReader) end(_, _ string) error {
	if r.group >= 0 {
		r.group = -1
		return nil
	}
	if len(r.open) == 0 {
		return r.wrong(`an "end" has nothing to end`)
	}
	r.open = r.open[:len(r.open)-1]
	return r.add(seqStep{kind: seqClose})
}

func (r *seqReader) note(_, rest string) error {
	step := seqStep{kind: seqNote}
	lower := strings.ToLower(rest)
	for _, p := range []struct {
		words string
		place notePlace
	}{{"left of ", noteLeft}, {"right of ", noteRight}, {"over ", noteOver}} {
		if !strings.HasPrefix(lower, p.words) {
			continue
		}
		step.place = p.place
		names, text, _ := strings.Cut(rest[len(p.words):], ":")
		step.text = messageText(text)
		one, other, two := strings.Cut(names, ",")
		if !two {
			other = one
		} else if p.place != noteOver {
			return r.wrong("a note beside a lifeline has one participant")
		}
		var err error
		if step.from, err = r.named("note", strings.TrimSpace(one)); err != nil {
			return err
		}
		if step.to, err = r.named("note", strings.TrimSpace(other)); err != nil {
			return err
		}
		step.from, step.to = min(step.from, step.to), max(step.from, step.to)
		return r.add(step)
	}
	return r.wrong(`a note stands "left of", "right of" or "over" a participant`)
}

// messageText returns the text of a message, a note or a frame: the text behind its
// colon, without the word that tells Mermaid how to wrap it.
func messageText(s string) label {
	s = strings.TrimLeft(strings.TrimSpace(s), ":")
	for _, word := range []string{"nowrap:", "wrap:"} {
		if hasPrefixFold(strings.TrimSpace(s), word) {
			s = strings.TrimSpace(s)[len(word):]
		}
	}
	return readText(s)
}

// numbering numbers messages. It counts in hundredths.
type numbering struct {
	on         bool
	at, step   int
	hasStarted bool
}

// next returns the number of the next message; empty if messages have no numbers.
func (n *numbering) next() string {
	if !n.on {
		return ""
	}
	number := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%02d", n.at/100, n.at%100), "0"), ".")
	n.at = min(n.at+n.step, 99_999_99)
	return number
}

func (r *seqReader) autonumber(_, rest string) error {
	words := strings.Fields(rest)
	if len(words) == 1 && strings.EqualFold(words[0], "off") {
		r.numbers.on = false
		return nil
	}
	if len(words) > 2 {
		return r.wrong(`"autonumber" takes a start and a step`)
	}
	if !r.numbers.hasStarted {
		r.numbers.at = 100
	}
	r.numbers.on, r.numbers.hasStarted, r.numbers.step = true, true, 100
	for i, word := range words {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil || !(n >= 0 && n <= 99_999) {
			return r.wrong(`"autonumber" takes numbers from 0 to 99999, not %s`, quoted(word))
		}
		*[]*int{&r.numbers.at, &r.numbers.step}[i] = int(n*100 + 0.5)
	}
	return nil
}
