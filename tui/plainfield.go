package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/wording"
)

// plainWant says what is to be typed for a question.
func plainWant(q questions.Question) string {
	switch q.Kind {
	case questions.Single:
		switch plainHighest(q) {
		case 1:
			return "1 chooses it:"
		case 2:
			return "1 or 2:"
		}
		return fmt.Sprintf("A number from 1 to %d:", plainHighest(q))
	case questions.Multi:
		return fmt.Sprintf("Numbers from 1 to %d with spaces between them, or all, or none:", plainHighest(q))
	case questions.Scale:
		if q.Range != nil { // else the form is of a newer planb
			return fmt.Sprintf("A number from %s to %s, in steps of %s:",
				questions.FormatNumber(q.Min), questions.FormatNumber(q.Max), questions.FormatNumber(q.Step))
		}
	case questions.LongText:
		return "Your answer, of as many lines as you like; a line with only a dot ends it:"
	case questions.Text:
		return "Your answer:"
	}
	return wording.UnknownKind(q).Line() + " Enter goes on:"
}

// plainHighest is the highest number of a choice.
func plainHighest(q questions.Question) int {
	if q.Other {
		return len(q.Options) + 1
	}
	return len(q.Options)
}

// plainOptions are the options of a choice, numbered.
func plainOptions(q questions.Question) []string {
	var lines []string
	for i, o := range q.Options {
		line := fmt.Sprintf("%d. %s", i+1, o.Shown().Line())
		if !o.Description.Blank() {
			line += ": " + o.Description.Line()
		}
		lines = append(lines, line)
	}
	if q.Other && len(q.Options) > 0 {
		lines = append(lines, fmt.Sprintf("%d. Something else, in your own words", len(q.Options)+1))
	}
	return lines
}

// plainValue is an answer in the words of the form, in one line.
func plainValue(q questions.Question, v questions.Value) string {
	return safe.New(wording.Answer(q, v)).Line()
}

// readAnswer makes of a typed line the answer to a question, asking for more where
// one line is not enough; wrong says why it is no answer.
func (f *plainForm) readAnswer(q questions.Question, line string) (part questions.Field, wrong string, err error) {
	switch q.Kind {
	case questions.Single, questions.Multi:
		return f.readChoice(q, strings.TrimSpace(line))
	case questions.Scale:
		n, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(line), ",", ".", 1), 64)
		if err != nil || q.Range == nil || !q.Contains(n) {
			return part, "That is no point of the scale.", nil
		}
		return questions.Field{Number: &n}, "", nil
	case questions.LongText:
		lines, err := f.linesFrom(line)
		if err != nil {
			f.keepLines(lines)
		}
		return questions.Field{Text: safe.New(strings.Join(lines, "\n"))}, "", err
	case questions.Text:
		return questions.Field{Text: safe.New(strings.TrimSpace(line))}, "", nil
	}
	return part, wording.UnknownKind(q).Line(), nil
}

// keepLines keeps lines whose end did not come: they go into the entry.
func (f *plainForm) keepLines(lines []string) {
	q := f.spec.Questions[f.at]
	part := f.fill.Fields[q.ID]
	part.Text = safe.New(strings.Join(lines, "\n"))
	f.fill.Fields[q.ID] = part
}

// readChoice reads the numbers of options, or their names.
func (f *plainForm) readChoice(q questions.Question, typed string) (part questions.Field, wrong string, err error) {
	words := strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' })
	if option, ok := plainNamed(q, typed); ok {
		words = []string{strconv.Itoa(option + 1)}
	} else if names, ok := plainNames(q, typed); ok {
		words = names
	} else if q.Kind == questions.Multi && (typed == "all" || typed == "none") {
		words = plainAll(q, typed == "all")
	}
	if q.Kind == questions.Single && len(words) > 1 {
		return part, "Only one of them can be chosen.", nil
	}
	for _, word := range words {
		n, err := strconv.Atoi(word)
		switch {
		case err != nil || n < 1 || n > plainHighest(q):
			return part, fmt.Sprintf("%s is no number from 1 to %d.", safe.New(word).Line(), plainHighest(q)), nil
		case n <= len(q.Options):
			if value := q.Options[n-1].Value.Raw(); !slices.Contains(part.Picked, value) {
				part.Picked = append(part.Picked, value)
			}
		default:
			own, err := f.ask("In your own words:")
			if err != nil || own == "" {
				return part, "Nothing was chosen.", err
			}
			part.Other, part.OtherPicked = safe.New(own), true
		}
	}
	return part, "", nil
}

// plainNamed is the option of that name.
func plainNamed(q questions.Question, typed string) (option int, ok bool) {
	option = slices.IndexFunc(q.Options, func(o questions.Option) bool {
		return strings.EqualFold(o.Shown().Line(), typed) || o.Value.Raw() == typed
	})
	_, err := strconv.Atoi(typed)
	return option, option >= 0 && err != nil // a number is a number, whatever options are called
}

// plainNames are the numbers of several options by their names, with commas between.
func plainNames(q questions.Question, typed string) (numbers []string, ok bool) {
	for name := range strings.SplitSeq(typed, ",") {
		option, ok := plainNamed(q, strings.TrimSpace(name))
		if !ok {
			return nil, false
		}
		numbers = append(numbers, strconv.Itoa(option+1))
	}
	return numbers, true
}

// plainAll are the numbers of all options, or none.
func plainAll(q questions.Question, all bool) (words []string) {
	for i := range q.Options {
		if all {
			words = append(words, strconv.Itoa(i+1))
		}
	}
	return words
}
