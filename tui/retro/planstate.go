package retro

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/plans"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
)

// planState is the text of a plan on the screen: its rendered sections, and which part of
// them is in view.
type planState struct {
	text     safe.Text
	heading  string // the first one of the text; empty if there is none
	sections []markdown.Section
	done     int // sections rendered
	lines    []string
	sources  []markdown.Span // of each line: the lines of the text that it shows
	width    int             // of the widest line
	top      int
	left     int  // cells panned to the right
	height   int  // visible lines
	goal     int  // the line of the text to go to once it is rendered; 0 for none
	apart    bool // an empty line above the goal comes into view with it
}

// setText shows another plan.
func (p *planState) setText(text safe.Text) {
	*p = planState{text: text, heading: planHeading(text), sections: markdown.Sections(text), height: p.height}
}

// planHeading is the first heading of a text, cut to the length of a title.
func planHeading(text safe.Text) string { return shortHeading(plans.Heading(text)) }

func shortHeading(heading safe.Text) string {
	raw := heading.Raw()
	if len(raw) > plans.MaxTitleBytes {
		raw = strings.ToValidUTF8(raw[:plans.MaxTitleBytes], "")
	}
	return safe.New(raw).Line()
}

// restart drops what was rendered, for another width or other colours. The view stays at
// about the same line of the text.
func (p *planState) restart() {
	if p.goal == 0 && p.top > 0 {
		p.goal = p.lineInView()
	}
	p.done, p.lines, p.sources, p.width, p.left = 0, nil, nil, 0, 0
}

// add appends a rendered section, below some lines of its own.
func (p *planState) add(doc markdown.Doc, above ...string) {
	start := p.sections[p.done].Line
	if p.done > 0 {
		p.lines = append(p.lines, "")
	}
	p.lines = append(p.lines, above...)
	p.sources = append(p.sources, make([]markdown.Span, len(p.lines)-len(p.sources))...)
	for _, span := range doc.Source {
		if !span.IsZero() {
			span = markdown.Span{From: start + span.From - 1, To: start + span.To - 1}
		}
		if p.done+1 < len(p.sections) && span.From >= p.sections[p.done+1].Line {
			span = markdown.Span{} // a link definition, which stands elsewhere in the plan
		}
		p.sources = append(p.sources, span)
	}
	p.lines = append(p.lines, doc.Lines...)
	p.width = max(p.width, doc.Width)
	p.done++
	p.reach()
}

// goTo puts a line of the text at the top of the view, once it is rendered.
func (p *planState) goTo(line int) {
	p.goal, p.apart = line, false
	p.reach()
}

// reach goes to the goal if it and a screenful below it are rendered.
func (p *planState) reach() {
	if p.goal == 0 {
		return
	}
	if !p.complete() && (p.done == 0 || p.sections[p.done].Line <= p.goal) {
		return
	}
	top := 0
	for i, span := range p.sources {
		if span.IsZero() || span.From > p.goal {
			continue
		}
		if top = i; span.To >= p.goal {
			break
		}
	}
	if p.apart && top > 0 && strings.TrimSpace(ansi.Strip(cells.TopRow(p.lines[top-1]))) == "" {
		top--
	}
	if p.complete() || top+p.height <= len(p.lines) {
		p.scrollTo(top)
	}
}

// lineInView is the line of the text that stands at the top of the view.
func (p *planState) lineInView() int {
	for _, span := range p.sources[min(p.top, len(p.sources)):] {
		if !span.IsZero() {
			return span.From
		}
	}
	return 1
}

func (p *planState) complete() bool { return p.done >= len(p.sections) }

// scroll moves the view. While sections are missing it may go past the rendered lines.
func (p *planState) scroll(by int) { p.scrollTo(p.top + by) }

func (p *planState) scrollTo(top int) {
	p.goal = 0
	p.top = max(min(top, len(p.lines)-p.height), 0)
}

// pan moves the view sideways over wide lines.
func (p *planState) pan(by, room int) {
	p.left = max(min(p.left+by, p.width-room), 0)
}

// percent is how much of the plan stands above the end of the view.
func (p *planState) percent() int {
	if len(p.lines) <= p.height {
		return 100
	}
	return (p.top + p.height) * 100 / len(p.lines)
}
