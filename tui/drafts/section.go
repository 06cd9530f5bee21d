package drafts

import (
	"context"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Section is the page of one step: its text in full, below what is said of it. It shows the
// draft as the screen below it read it, and leaves all decisions to that.
type Section struct {
	of   *Screen
	step string // its id
	text reader
	page screen.Page
}

func newSection(of *Screen, step string) *Section { return &Section{of: of, step: step} }

// Init renders the section.
func (s *Section) Init() tea.Cmd { return s.render() }

// Resize lays the page out.
func (s *Section) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *Section) Retheme(look *screen.Look) {
	s.page.Look = look
	s.layOut()
}

// current is the step as it stands now.
func (s *Section) current() (rules.Step, bool) {
	at := s.of.draft.at(s.step)
	if at < 0 {
		return rules.Step{}, false
	}
	return s.of.draft.steps[at], true
}

func (s *Section) room() int { return min(s.page.Width-2*screen.ReadMargin, screen.ReadCells) }

func (s *Section) render() tea.Cmd {
	if s.page.Look == nil || s.page.Unsized() {
		return nil
	}
	return s.of.renderSection(s.step, s.room())
}

// layOut shows the text as it was rendered last.
func (s *Section) layOut() {
	step, ok := s.current()
	if !ok || s.page.Look == nil || s.page.Unsized() {
		return
	}
	doc, _ := s.of.section(s.step, s.room())
	s.text.show(step.ID, doc, s.room(), s.page.BodyLines()-len(s.head(step))-s.askedLines())
}

// head says above the text how it stands.
func (s *Section) head(step rules.Step) []string {
	p, st := s.of.draft, &s.page.Look.Styles
	lines := []string{""}
	if why := p.why(step); why != "" {
		for _, line := range cells.Lines(why, s.room()) {
			lines = append(lines, st.Role(themes.RoleOfStep(p.state(step))).Render(line))
		}
	}
	lines = append(lines, s.of.mistakeLines(step, s.room())...)
	if guidance := p.guidance(step); guidance != "" {
		for _, line := range cells.Fold(cells.Lines(guidance, s.room()), mostGuidance, s.room()) {
			lines = append(lines, st.Note.Render(line))
		}
	}
	if len(lines) > 1 {
		lines = append(lines, "")
	}
	return lines
}

// Update handles keys and the mouse. The screen below gets the results of reads, too.
func (s *Section) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, s.press, s.of.typing()...)
	case tea.PasteMsg:
		if s.of.asked != nil {
			s.of.asked.Paste(msg.Content)
		}
	case tea.MouseClickMsg:
		if s.of.asked != nil {
			defer s.layOut()
			return s.of.clickAnswer(s.page, msg.Mouse())
		}
	case tea.MouseWheelMsg:
		s.text.scroll(screen.WheelLines * screen.WheelSteps(msg.Mouse()))
	case screen.Relaid:
		return s.render()
	case interface{ owner() *Screen }:
		if msg.owner() == s.of {
			s.layOut()
			return s.render()
		}
	}
	return nil
}

func (s *Section) press(msg tea.KeyPressMsg) tea.Cmd {
	defer s.layOut()
	s.of.status = ""
	if s.of.asked != nil {
		return s.of.pressAnswer(msg)
	}
	return s.act(keymap.ActionOf(s.of.keys, msg))
}

func (s *Section) act(act keymap.Action) tea.Cmd {
	s.text.act(act)
	switch act {
	case keymap.PrevSection:
		return s.turn(-1)
	case keymap.NextSection:
		return s.turn(1)
	}
	step, known := s.current()
	if cmd, done := s.of.decide(act, step, known, s); done {
		return cmd
	}
	return screen.ActCommon(act, s, "Section", s.of.keys)
}

// turn shows the section of another step. The cursor of the screen below follows.
func (s *Section) turn(by int) tea.Cmd {
	p := s.of.draft
	to := p.at(s.step) + by
	if to < 0 || to >= len(p.steps) {
		return nil
	}
	s.step = p.steps[to].ID
	s.of.pointTo(s.step)
	return s.render()
}

// askedLines is the height of what is asked below the text.
func (s *Section) askedLines() int {
	if !s.of.asked.below() {
		return 0
	}
	return len(s.of.tryLines(s.page))
}

// View draws the page.
func (s *Section) View() screen.Frame {
	p, st := s.of.draft, &s.page.Look.Styles
	step, ok := s.current()
	if !ok {
		return screen.Frame{Content: s.page.Draw(s.page.Header("Section", ""), []string{"", " " + st.Muted.Render("The draft no longer has this step.")}, s.page.Footer(s.of.keys, []keymap.Action{keymap.Escape}, ""))}
	}
	mark := s.of.mark(step)
	left := mark + " " + st.Title.Render(step.Name) + st.Muted.Render(cells.Gap+cells.Join(p.about(step), title(p.Summary)))
	header := []string{
		" " + cells.Sides(cells.CutParts(left, s.page.Width-2-positionCells), st.Faint.Render(s.text.position()), s.page.Width-2),
		s.page.Rule(),
	}
	var body []string
	margin := "  "
	for _, line := range append(s.head(step), s.unwritten(step)...) {
		body = append(body, margin+line)
	}
	for _, line := range s.text.lines() {
		body = append(body, margin+line)
	}
	frame := screen.Frame{Title: "planb: " + step.Name}
	if !s.of.asked.below() {
		frame.Content = s.page.Draw(header, body, s.page.Footer(s.of.keys, s.useful(step), s.of.status))
		return s.of.over(s.page, frame)
	}
	room := s.page.BodyLines() - s.askedLines()
	body = body[:min(len(body), room)]
	for len(body) < room {
		body = append(body, "")
	}
	frame.Content = s.page.Draw(header, append(body, s.of.tryLines(s.page)...), s.of.asked.Footer(s.page))
	return frame
}

// positionCells is the room for where in the text one is.
const positionCells = 14

// unwritten says of a step without a text what it is written from.
func (s *Section) unwritten(step rules.Step) []string {
	if !s.of.draft.section(step.ID).Blank() {
		return nil
	}
	return s.of.unwrittenLines(step, s.room())
}

// useful are the keys that do something now.
func (s *Section) useful(step rules.Step) []keymap.Action {
	acts := []keymap.Action{keymap.NextSection}
	switch {
	case s.of.draft.state(step) == rules.StepForYou, step.Author == rules.Person && s.of.draft.Draft.Output(step.ID) != nil:
		acts = append(acts, keymap.AnswerGate)
	case step.Author == rules.Model && s.of.draft.Draft.Output(step.ID) != nil:
		acts = append(acts, keymap.ReviewSection, keymap.Regenerate, keymap.Edit)
	}
	if s.text.pan.Last > 0 {
		acts = append(acts, keymap.PanRight)
	}
	return append(acts, keymap.Escape, keymap.Origin, keymap.Help, keymap.Quit)
}

// Close ends the page.
func (s *Section) Close(context.Context) ([]string, error) { return nil, nil }
