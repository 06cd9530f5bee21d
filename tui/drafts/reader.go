package drafts

import (
	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/preview"
)

// reader is a section in so many lines, scrolled by the person.
type reader struct {
	step   string // the id of the section's step
	doc    markdown.Doc
	top    int // the first line in view
	height int
	pan    markdown.Pan
}

// show lays a text out. Another step's section is shown from its start.
func (r *reader) show(step string, doc markdown.Doc, room, height int) {
	if step != r.step {
		r.top, r.pan = 0, markdown.Pan{}
	}
	r.step, r.doc, r.height = step, doc, max(height, 0)
	r.pan.Fit(doc, room)
	r.scroll(0)
}

func (r *reader) scroll(by int) {
	r.top = max(min(r.top+by, len(r.doc.Lines)-r.height), 0)
}

// act scrolls as an action says.
func (r *reader) act(act keymap.Action) {
	pageful := max(r.height-2, 1)
	switch act {
	case keymap.Up, keymap.ScrollUp:
		r.scroll(-1)
	case keymap.Down, keymap.ScrollDown:
		r.scroll(1)
	case keymap.PageUp:
		r.scroll(-pageful)
	case keymap.PageDown:
		r.scroll(pageful)
	case keymap.Home:
		r.scroll(-len(r.doc.Lines))
	case keymap.End:
		r.scroll(len(r.doc.Lines))
	case keymap.PanLeft:
		r.pan.By(-markdown.PanCells)
	case keymap.PanRight:
		r.pan.By(markdown.PanCells)
	}
}

// lines are those in view.
func (r *reader) lines() []string {
	return r.pan.Lines(r.doc, r.top, min(r.top+r.height, len(r.doc.Lines)))
}

// position says which part is in view; empty if all is.
func (r *reader) position() string {
	if len(r.doc.Lines) <= r.height {
		return r.pan.Position()
	}
	return cells.Join(r.pan.Position(), cells.Position(r.top, r.height, len(r.doc.Lines)))
}

// section returns a step's section as it was rendered for a width, if it was.
func (s *Screen) section(id string, width int) (markdown.Doc, bool) {
	if s.page.Look == nil || s.draft == nil {
		return markdown.Doc{}, false
	}
	return s.page.Look.Markdown.Cached(s.draft.section(id), width)
}

// renderSection renders a section for a width, unless that was done before.
func (s *Screen) renderSection(id string, width int) tea.Cmd {
	if s.page.Look == nil || s.draft == nil || width <= 0 || s.draft.section(id).Blank() {
		return nil
	}
	if _, done := s.section(id, width); done {
		return nil
	}
	renderer, text := s.page.Look.Markdown, s.draft.section(id)
	return func() tea.Msg {
		renderer.Render(text, width)
		return rendered{s}
	}
}

// render renders the section beside the steps.
func (s *Screen) render() tea.Cmd {
	step, ok := s.step()
	if !ok || s.page.Unsized() || !s.split().Shown() {
		return nil
	}
	return s.renderSection(step.ID, s.split().Room())
}

// readStep shows the section of the step under the cursor.
func (s *Screen) readStep() {
	step, ok := s.step()
	if !ok || s.page.Look == nil || s.page.Unsized() {
		return
	}
	split := s.split()
	doc, _ := s.section(step.ID, split.Room())
	s.text.show(step.ID, doc, split.Room(), split.PreviewLines()-len(s.headLines(step, split.Room())))
}

// headLines say above a section what it is and how it stands.
func (s *Screen) headLines(step rules.Step, room int) []string {
	p, st := s.draft, &s.page.Look.Styles
	position := s.text.position()
	if step.ID == scheduleStep { // the chart stands there
		position = ""
	}
	lines := []string{cells.Sides(st.Strong.Render(step.Name), st.Faint.Render(position), room)}
	if about := p.about(step); about != "" {
		lines = append(lines, st.Muted.Render(cells.CutParts(about, room)))
	}
	refused, _ := p.refused(step)
	if why := p.why(step); why != "" && refused == "" && !p.asks(step) { // else the header or its questions say it
		style := st.Role(themes.RoleOfStep(p.state(step)))
		for _, line := range cells.Lines(why, room) {
			lines = append(lines, style.Render(line))
		}
	}
	if p.state(step) == rules.StepFailed {
		lines = append(lines, s.resumeLines(room)...)
	}
	if guidance := p.guidance(step); guidance != "" {
		for _, line := range cells.Fold(cells.Lines(guidance, room), mostGuidance, room) {
			lines = append(lines, st.Note.Render(line))
		}
	}
	lines = append(lines, "")
	mistakes := s.mistakeLines(step, room)
	switch {
	case len(mistakes) == 0:
		return lines
	case s.split().Beside():
		return append(append(lines, mistakes...), "")
	}
	return append(lines, cells.Fold(mistakes, mostMistakes, room)...)
}

// resumeLines say how a draft that failed goes on.
func (s *Screen) resumeLines(room int) (lines []string) {
	st := &s.page.Look.Styles
	how := keymap.Tells(s.keys, "", keymap.Resume, " lets the run go on. Then your agent writes this step, or you run:")
	for _, line := range cells.Lines(how, room) {
		lines = append(lines, st.Muted.Render(line))
	}
	return append(lines, "  "+st.Text.Render(cells.Cut("planb draft run "+short(s.draft.ID), max(room-2, 1))))
}

// mostMistakes is how many lines of mistakes stand above what a step is written from, below the list.
const mostMistakes = 3

// mistakeLines tell what was wrong with the last answer to a step at which the run failed.
func (s *Screen) mistakeLines(step rules.Step, room int) (lines []string) {
	st := &s.page.Look.Styles
	_, mistakes := s.draft.refused(step)
	lead := "Problems"
	for _, mistake := range mistakes {
		for _, line := range cells.Lines(mistake, max(room-leadCells, 1)) {
			lines = append(lines, st.Faint.Render(cells.Pad(lead, leadCells))+st.Text.Render(line))
			lead = ""
		}
	}
	return lines
}

// leadCells is the width of what stands before the steps that another one is written from.
const leadCells = 14

// mostGuidance is how many lines of guidance stand above a section.
const mostGuidance = 2

// preview is the section of the step under the cursor, below what is said of it.
func (s *Screen) preview() []string {
	step, ok := s.step()
	if !ok {
		return nil
	}
	split := s.split()
	lines := s.headLines(step, split.Room())
	switch {
	case step.ID == scheduleStep && s.draft.placed != nil:
		lines = append(lines, s.previewChart(split.Room(), split.PreviewLines()-len(lines))...)
		return lines[:min(len(lines), split.PreviewLines())]
	case s.draft.asks(step):
		return preview.Draw(&s.page.Look.Styles, split, func(asked *preview.Lines) {
			for _, line := range lines {
				asked.Add(line)
			}
			previewForm(asked, s.draft.forms[step.ID])
			for _, line := range s.unwrittenLines(step, split.Room()) {
				asked.Add(line)
			}
		})
	case s.draft.section(step.ID).Blank():
		lines = append(lines, s.unwrittenLines(step, split.Room())...)
	}
	lines = append(lines, s.text.lines()...)
	return lines[:min(len(lines), split.PreviewLines())]
}

// textless reports whether the preview of a step names other steps alone.
func (s *Screen) textless(step rules.Step) bool {
	return s.draft.section(step.ID).Blank() && !s.draft.asks(step) && (step.ID != scheduleStep || s.draft.placed == nil)
}

// unwrittenNeeds is how many lines the previews of steps without a text have: all have as many as
// the longest of them needs, so that the list keeps its height while the cursor moves over such
// steps. It is 0 if the step under the cursor has a text.
func (s *Screen) unwrittenNeeds() (most int) {
	step, ok := s.step()
	if !ok || s.page.Look == nil || !s.textless(step) {
		return 0
	}
	room := s.split().Room()
	for _, other := range s.draft.steps {
		if s.textless(other) {
			most = max(most, len(s.headLines(other, room))+len(s.unwrittenLines(other, room)))
		}
	}
	return most
}

// unwrittenLines name the steps from which an unwritten step will be written, and the
// steps that need it.
func (s *Screen) unwrittenLines(step rules.Step, room int) (lines []string) {
	p, st := s.draft, &s.page.Look.Styles
	say := func(lead string, steps []rules.Step) {
		if len(steps) == 0 {
			return
		}
		for _, line := range cells.PartLines(cells.Join(titles(steps)...), max(room-leadCells, 1)) {
			lines = append(lines, st.Faint.Render(cells.Pad(lead, leadCells))+st.Muted.Render(line))
			lead = ""
		}
	}
	if p.Draft.Output(step.ID) != nil { // a check with no finding
		lines = append(lines, st.Text.Render("Nothing was found."), "")
	}
	if step.Author == rules.Code {
		lines = append(lines, st.Muted.Render(cells.Cut("planb itself makes it, without a model.", room)))
	}
	say("Written from", p.before(step))
	say("Needed for", p.after(step))
	return lines
}
