package drafts

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// newOrigin is a list of where a section comes from and what rests on it: what it was written
// from, the sections that are written from it, and its earlier texts. Choosing a step opens its
// section.
func newOrigin(of *Screen, id string) screen.Screen {
	p := of.draft
	step := p.steps[p.at(id)]
	var rows []screen.Row
	group := func(heading string, added []screen.Row) {
		if len(added) > 0 {
			added[0].Heading = heading
		}
		rows = append(rows, added...)
	}
	nowhere := func(screen.Screen) tea.Cmd { return nil }
	sections := func(steps []rules.Step) (list []screen.Row) {
		for _, s := range steps {
			list = append(list, screen.Row{
				Text: p.numberCell(s) + " " + s.Name, Right: p.originWords(s, step),
				Open: func(from screen.Screen) tea.Cmd {
					return screen.Send(screen.Push{Screen: newSection(of, s.ID), Over: from})
				},
			})
		}
		return list
	}
	group("This section", sections([]rules.Step{step}))
	from := sections(p.before(step))
	if len(from) == 0 {
		from = append(from, told(of, "Your prompt", safe.New(p.Draft.Prompt)))
	}
	if r := p.Draft.Records[id]; !safe.New(r.Guidance).Blank() {
		whose := "Your guidance"
		if r.GuidedBy != "" {
			whose = "Guidance of " + safe.New(r.GuidedBy).Line()
		}
		from = append(from, told(of, whose, safe.New(r.Guidance)))
	}
	group("It is made from", from)
	group("It feeds these. If it changes:", sections(p.after(step)))
	var earlier []screen.Row
	for _, v := range p.History[id] {
		earlier = append(earlier, screen.Row{
			Text: wording.Capital(versionWords(v)), Right: cells.Join("by "+p.named(v.By), wording.Ago(v.At, p.now)), Open: nowhere,
		})
	}
	group("Its earlier texts", earlier)
	return screen.NewPick(of.deps.Keys, "Where “"+step.Name+"” comes from", title(p.Summary), rows, 0)
}

// told returns a row with a text that the person wrote for those who write the draft. The row
// shows some lines of it if there is no room for all. Enter opens the whole text.
func told(of *Screen, name string, text safe.Text) screen.Row {
	const least = 6 // lines
	return screen.Row{
		Text: name, Right: strings.Join(strings.Fields(text.Block()), " "), Fold: least,
		Open: func(from screen.Screen) tea.Cmd {
			page := &toldPage{name: name, about: title(of.draft.Summary), text: text, keys: of.deps.Keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...))}
			return screen.Send(screen.Push{Screen: page, Over: from})
		},
	}
}

// toldPage shows the whole text of such a row.
type toldPage struct {
	name, about string
	text        safe.Text
	lines       reader
	page        screen.Page
	keys        []keymap.Binding
}

// Init starts nothing.
func (s *toldPage) Init() tea.Cmd { return nil }

// Retheme takes the look.
func (s *toldPage) Retheme(look *screen.Look) { s.page.Look = look }

// Resize wraps the text anew.
func (s *toldPage) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	if !s.page.Unsized() {
		room := min(width-2*screen.ReadMargin, screen.ReadCells)
		s.lines.show(s.name, markdown.Plain(s.text, room), room, s.page.BodyLines())
	}
}

// Update scrolls.
func (s *toldPage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, s.press)
	case tea.MouseWheelMsg:
		s.lines.scroll(screen.WheelLines * screen.WheelSteps(msg.Mouse()))
	}
	return nil
}

func (s *toldPage) press(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(s.keys, msg)
	s.lines.act(act)
	return screen.ActCommon(act, s, s.name, s.keys)
}

// View draws the text, with where in it one is.
func (s *toldPage) View() screen.Frame {
	var body []string
	for _, line := range s.lines.lines() {
		body = append(body, strings.Repeat(" ", screen.ReadMargin)+line)
	}
	return screen.Frame{Title: "planb: " + s.name, Content: s.page.Draw(
		s.page.Header(s.name, cells.Join(s.about, s.lines.position())), body,
		s.page.Footer(s.keys, []keymap.Action{keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}, ""))}
}

// originWords say in a line how step s stands, who wrote it, and when. of is the step whose origin
// is told. The time is left out if it reads the same as that of the section of. If s is written
// from of, the words say first what becomes of s when of changes.
func (p *draft) originWords(s, of rules.Step) string {
	if st := p.state(s); st != rules.StepWritten && st != rules.StepKept {
		return st.Word()
	}
	if s.ID == of.ID {
		return p.about(s)
	}
	when := wording.Ago(p.acceptedAt(s), p.now)
	if when == wording.Ago(p.acceptedAt(of), p.now) {
		when = ""
	}
	if !slices.Contains(s.Needs, of.ID) {
		return cells.Join("by "+p.author(s), when)
	}
	r := p.Draft.Records[s.ID]
	switch {
	case r.Edited:
		return cells.Join("stays", "edited by "+p.author(s), when)
	case !p.Draft.Writes(s):
		return cells.Join("stays", "by "+p.author(s), when)
	case s.Author == rules.Code:
		return cells.Join("is made again", "by planb", when)
	case s.Author == rules.Person && !p.NoGates:
		return cells.Join("you decide again", "now by "+p.author(s), when)
	}
	return cells.Join("is written again", "now by "+p.author(s), when)
}

// versionWords say what became of an earlier text.
func versionWords(v runs.Version) string {
	switch v.Why {
	case "edited":
		return "before it was edited"
	case "stale":
		return "which came too late"
	case "retried":
		return "before all was written anew"
	}
	return "replaced"
}
