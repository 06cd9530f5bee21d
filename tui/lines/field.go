package lines

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/wording"
)

// want says what is to be typed for a question.
func want(q questions.Question) string {
	switch q.Kind {
	case questions.Single:
		switch highest(q) {
		case 1:
			return "1 chooses it:"
		case 2:
			return "1 or 2:"
		}
		return fmt.Sprintf("A number from 1 to %d:", highest(q))
	case questions.Multi:
		return fmt.Sprintf("Numbers from 1 to %d with spaces between them, or all, or none:", highest(q))
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

// highest returns the highest number that can be typed for a choice.
func highest(q questions.Question) int {
	if q.Other {
		return len(q.Options) + 1
	}
	return len(q.Options)
}

// optionLines lists the options of a choice with their numbers.
func optionLines(q questions.Question) []string {
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

// valueLine returns an answer in the words of the form, in one line.
func valueLine(q questions.Question, v questions.Value) string {
	return safe.New(wording.Answer(q, v)).Line()
}

// readAnswer turns a typed line into an answer. It asks for more where one line is not
// enough. wrong says why the line is no answer.
func (f *form) readAnswer(q questions.Question, line string) (part questions.Field, wrong string, err error) {
	switch q.Kind {
	case questions.Single, questions.Multi:
		return f.readChoice(q, strings.TrimSpace(line))
	case questions.Scale:
		n, wrong := readPoint(q, strings.TrimSpace(line))
		if wrong != "" {
			return part, wrong, nil
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

// readPoint reads a point of a scale. A comma may be a decimal point or part thousands. If both
// readings are points, the person has to say which one they mean.
func readPoint(q questions.Question, typed string) (n float64, wrong string) {
	readings := []string{strings.Replace(typed, ",", ".", 1)}
	if regexp.MustCompile(`^-?\d{1,3}(,\d{3})+$`).MatchString(typed) {
		readings = append(readings, strings.ReplaceAll(typed, ",", ""))
	}
	var points []float64
	for _, reading := range readings {
		if n, err := strconv.ParseFloat(reading, 64); err == nil && q.Range != nil && q.Contains(n) && !slices.Contains(points, n) {
			points = append(points, n)
		}
	}
	switch len(points) {
	case 0:
		return 0, "The scale has no such number."
	case 1:
		return points[0], ""
	}
	return 0, fmt.Sprintf("That may be %s or %s: type it without the comma.", questions.FormatNumber(points[0]), questions.FormatNumber(points[1]))
}

// keepLines puts the lines of an unfinished answer into the entry.
func (f *form) keepLines(lines []string) {
	q := f.spec.Questions[f.at]
	part := f.fill.Fields[q.ID]
	part.Text = safe.New(strings.Join(lines, "\n"))
	f.fill.Fields[q.ID] = part
}

// readChoice reads the numbers of options, or their names.
func (f *form) readChoice(q questions.Question, typed string) (part questions.Field, wrong string, err error) {
	words := strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' })
	if option, ok := optionNamed(q, typed); ok {
		words = []string{strconv.Itoa(option + 1)}
	} else if names, ok := optionsNamed(q, typed); ok {
		words = names
	} else if q.Kind == questions.Multi && (typed == "all" || typed == "none") {
		words = allOptions(q, typed == "all")
	}
	if q.Kind == questions.Single && len(words) > 1 {
		return part, "Only one of them can be chosen.", nil
	}
	for _, word := range words {
		n, err := strconv.Atoi(word)
		switch {
		case err != nil || n < 1 || n > highest(q):
			return part, fmt.Sprintf("%s is no number from 1 to %d.", safe.New(word).Line(), highest(q)), nil
		case n <= len(q.Options):
			if value := q.Options[n-1].Value.Raw(); !slices.Contains(part.Picked, value) {
				part.Picked = append(part.Picked, value)
			}
		default:
			own, err := f.ownWords(q)
			if err != nil || own == "" {
				return part, "Nothing was chosen.", err
			}
			part.Other, part.OtherPicked = safe.New(own), true
		}
	}
	return part, "", nil
}

// ownWords asks for an answer that is none of the options. /edit opens the person's editor, as
// everywhere; what comes back is one line, as in a drawn form.
func (f *form) ownWords(q questions.Question) (string, error) {
	for {
		own, err := f.ask("In your own words:")
		switch {
		case err != nil:
			return "", err
		case strings.EqualFold(own, "//edit"):
			return own[1:], nil
		case !strings.EqualFold(own, "/edit"):
			return own, nil
		}
		text, ok, err := f.editText(f.fill.Fields[q.ID].Other, q.Label, q.Description)
		if ok || err != nil {
			return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "), err
		}
	}
}

// optionNamed returns the option with that name.
func optionNamed(q questions.Question, typed string) (option int, ok bool) {
	option = slices.IndexFunc(q.Options, func(o questions.Option) bool {
		return strings.EqualFold(o.Shown().Line(), typed) || o.Value.Raw() == typed
	})
	_, err := strconv.Atoi(typed)
	return option, option >= 0 && err != nil // a number is a number, whatever options are called
}

// optionsNamed returns the numbers of options named in a list with commas.
func optionsNamed(q questions.Question, typed string) (numbers []string, ok bool) {
	for name := range strings.SplitSeq(typed, ",") {
		option, ok := optionNamed(q, strings.TrimSpace(name))
		if !ok {
			return nil, false
		}
		numbers = append(numbers, strconv.Itoa(option+1))
	}
	return numbers, true
}

// allOptions returns the numbers of all options, or of none.
func allOptions(q questions.Question, all bool) (words []string) {
	for i := range q.Options {
		if all {
			words = append(words, strconv.Itoa(i+1))
		}
	}
	return words
}
