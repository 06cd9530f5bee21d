package lines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/plans"
	"planb/questions/safe"
	"planb/tui/compare"
)

// read reads out the plan with the numbers of its lines, or some of them.
func (r *planReview) read(typed string) error {
	if typed == "" {
		r.reading = 0
		return r.lines(1, len(r.state.Lines))
	}
	from, to, rest, ok := lineRange(typed)
	if !ok || rest != "" || from < 1 || from > len(r.state.Lines) || to < from {
		return r.say("Type plan, or plan and lines from 1 to %d, as 12 or 3-5.", len(r.state.Lines))
	}
	return r.lines(from, min(to, len(r.state.Lines)))
}

// lines reads out some lines with their numbers.
func (r *planReview) lines(from, to int) error {
	var text strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&text, "%d: %s\n", i, block(safe.New(r.state.Lines[i-1])))
	}
	return r.say("%s", strings.TrimSuffix(text.String(), "\n"))
}

// sections lists the headings with their numbers.
func (r *planReview) sections(string) error {
	if len(r.state.Outline) == 0 {
		return r.say("The plan has no headings.")
	}
	lines := make([]string, len(r.state.Outline))
	for i, section := range r.state.Outline {
		held := ""
		if slices.Contains(r.state.Review.Withheld, section.Line) {
			held = "held back"
		} else if r.state.Withheld(section.Line) {
			held = "held back with the section around it"
		}
		lines[i] = fmt.Sprintf("%d. %s", i+1, commas(headingWords(section), held))
	}
	return r.say("%s", strings.Join(lines, "\n"))
}

// heading returns the section with the typed number. If no number was typed, it asks for
// one. If ok is false, there is no such section, and the person was told.
func (r *planReview) heading(typed, want string) (section plans.Section, ok bool, err error) {
	if typed == "" || len(r.state.Outline) == 0 {
		if err = r.sections(""); err != nil || len(r.state.Outline) == 0 {
			return section, false, err
		}
		if typed, err = r.ask(want); err != nil || typed == "" {
			return section, false, err
		}
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > len(r.state.Outline) {
		return section, false, r.say("There is no heading of that number; there are %d.", len(r.state.Outline))
	}
	return r.state.Outline[n-1], true, nil
}

// section reads out a section, up to the next heading.
func (r *planReview) section(typed string) error {
	section, ok, err := r.heading(typed, "The number of the heading to read from; Enter alone goes back:")
	if !ok {
		return err
	}
	r.reading = section.Line
	return r.next("")
}

// next reads on, up to the next heading.
func (r *planReview) next(string) error {
	if r.reading == 0 {
		r.reading = 1
		return r.say("That was the end; next begins at the start again.")
	}
	from, to := r.reading, len(r.state.Lines)
	r.reading = 0
	for _, section := range r.state.Outline {
		if section.Line > from {
			r.reading, to = section.Line, section.Line-1
			break
		}
	}
	return r.lines(from, to)
}

// find reads out the lines that have all words.
func (r *planReview) find(words string) error {
	if words == "" {
		return r.say("Type find and words of the plan.")
	}
	var found []string
	for i, line := range r.state.Lines {
		if hasWords(line, words) {
			found = append(found, fmt.Sprintf("%d: %s", i+1, block(safe.New(line))))
		}
	}
	if len(found) == 0 {
		return r.say("No line has that.")
	}
	return r.say("%s", strings.Join(found, "\n"))
}

// changes reads out everything that changed.
func (r *planReview) changes(string) error {
	about := r.account()
	var all []string
	for _, which := range about.Changed() {
		all = append(all, compare.Words(about.Compared(which)))
	}
	if len(all) == 0 {
		return r.say("There is nothing to compare with: this plan was not reviewed before.")
	}
	return r.say("%s", strings.Join(all, "\n\n"))
}

// headingWords says what a heading is, and where it stands.
func headingWords(section plans.Section) string {
	return commas(section.Title.Line(), fmt.Sprintf("level %d", section.Level), fmt.Sprintf("line %d", section.Line))
}
