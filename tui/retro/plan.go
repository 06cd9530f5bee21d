package retro

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/search"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/compare"
	"planb/tui/editor/external"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Plan shows one version of the plan of a session, and goes to the others.
type Plan struct {
	deps     Deps
	session  store.Session
	versions []store.Plan // oldest first
	number   int          // the version shown
	state    planState
	outline  []plans.Section
	line     int // the line of the text to begin at; 0 for its start
	found    found
	loaded   bool
	problem  string // why it cannot be shown
	round    int    // counts renderings; results of earlier ones are dropped

	story   *timeline.Story // what led to the versions; nil until it was read
	details map[int]timeline.Detail
	looking bool // the details of a version are being read
	cited   markdown.Cited

	bell   *screen.Bell
	share  *external.Sharer
	page   screen.Page
	keys   []keymap.Binding
	status string
}

// Messages of Plan to itself.
type (
	planVersionsRead struct {
		screen   *Plan
		versions []store.Plan
		err      error
	}
	planTextRead struct {
		screen  *Plan
		number  int
		text    safe.Text
		outline []plans.Section
		cited   markdown.Cited
		err     error
	}
	planStoryRead struct {
		screen *Plan
		story  *timeline.Story
		err    error
	}
	planDetailRead struct {
		screen *Plan
		detail timeline.Detail
	}
	// planLine goes to a line of the text.
	planLine struct {
		screen *Plan
		line   int
	}
	planRendered struct {
		screen  *Plan
		round   int
		section int
		doc     markdown.Doc
	}
)

// newPlan is the screen of a version of a session's plan.
func newPlan(d Deps, session store.Session, number int) *Plan {
	p := &Plan{deps: d, session: session, number: number, details: map[int]timeline.Detail{}, bell: screen.NewBell(d.Store), keys: d.Keys.On(keymap.OfPlan, keymap.Plan())}
	p.share = external.NewSharer(d.Environ, p.keys, &p.status)
	return p
}

// at opens the plan at a line of its text; 0 is its start.
func (p *Plan) at(line int) *Plan {
	p.line = line
	return p
}

// found is what a search found in the text of a plan.
type found struct {
	version, line int      // of the hit that was opened; the line is 0 if it is not in the text
	words         []string // in lower case
}

// at reports whether a row of a version shows the line of the hit. A row that shows no line of
// the text has no span.
func (f found) at(version int, row markdown.Span) bool {
	return version == f.version && !row.IsZero() && row.From <= f.line && f.line <= row.To
}

// showFound opens the plan at a hit, and marks what was found.
func (p *Plan) showFound(hit search.Hit) *Plan {
	p.found.version = hit.Plan.Number
	for i, e := range hit.Excerpts {
		if i == 0 && e.Field == search.FieldPlan {
			p.found.line = e.Line
		}
		for _, piece := range e.Pieces {
			if word := strings.ToLower(piece.Text.Line()); piece.Match && !slices.Contains(p.found.words, word) {
				p.found.words = append(p.found.words, word)
			}
		}
	}
	return p.at(p.found.line)
}

// Init reads the plan and listens for new versions.
func (p *Plan) Init() tea.Cmd {
	return tea.Batch(p.readText(), p.readVersions(), p.bell.Start())
}

// Resize marks that the plan has to be rendered for another width. The window sends Relaid
// next, which starts that: Resize itself cannot return a command.
func (p *Plan) Resize(width, height int) {
	again := width != p.page.Width
	p.page.Width, p.page.Height = width, height
	p.state.height = p.page.BodyLines() - p.aboveText()
	if again {
		p.round++
		p.state.restart()
	}
}

// Retheme takes the look, and drops the rendered lines, because colours are in them.
func (p *Plan) Retheme(look *screen.Look) {
	p.page.Look = look
	p.round++
	p.state.restart()
}

// Update handles keys and the mouse, and what was read and rendered.
func (p *Plan) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, func(key tea.KeyPressMsg) tea.Cmd {
			p.status = ""
			return p.act(keymap.ActionOf(p.keys, key))
		})
	case tea.MouseWheelMsg:
		p.state.scroll(screen.WheelLines * screen.WheelSteps(msg.Mouse()))
	case screen.ThemeKept:
		p.status = msg.Notice
	case screen.Relaid:
		return p.render()
	case planVersionsRead:
		if msg.screen == p && msg.err == nil { // without them the keys for other versions do nothing
			p.versions = msg.versions
			return p.readStory()
		}
	case planStoryRead:
		if msg.screen == p && msg.err == nil { // without it the plan is read all the same
			p.story = msg.story
			return p.lookInto()
		}
	case planDetailRead:
		if msg.screen == p {
			p.looking = false
			p.details[msg.detail.Plan] = msg.detail
			return p.lookInto()
		}
	case planLine:
		if msg.screen == p {
			p.state.goTo(msg.line)
		}
	case planTextRead:
		return p.applyText(msg)
	case planRendered:
		if msg.screen == p && msg.round == p.round && msg.section == p.state.done {
			p.add(msg.doc)
			return p.render()
		}
	case screen.Hung, screen.Rang:
		return p.bell.Heard(msg, p.readVersions)
	case external.Sharing:
		return p.share.Heard(msg)
	}
	return nil
}

func (p *Plan) act(act keymap.Action) tea.Cmd {
	switch act {
	case keymap.ScrollUp:
		p.state.scroll(-1)
	case keymap.ScrollDown:
		p.state.scroll(1)
	case keymap.PageUp:
		p.state.scroll(-max(p.state.height-2, 1))
	case keymap.PageDown:
		p.state.scroll(max(p.state.height-2, 1))
	case keymap.Home:
		p.state.scrollTo(0)
	case keymap.End:
		p.state.scrollTo(len(p.state.lines))
	case keymap.PanLeft:
		p.state.pan(-markdown.PanCells, p.panRoom())
	case keymap.PanRight:
		p.state.pan(markdown.PanCells, p.panRoom())
	case keymap.Older:
		return p.turn(-1)
	case keymap.Newer:
		return p.turn(1)
	case keymap.Changes:
		return p.compare()
	case keymap.Outline:
		return p.showOutline()
	case keymap.Led:
		return p.showLed()
	case keymap.Copy, keymap.Pager, keymap.Edit:
		return p.shareText(act)
	default:
		return screen.ActCommon(act, p, "Plan", p.keys)
	}
	return nil
}

// shareText copies the text of the plan, or opens it in the pager or the editor.
func (p *Plan) shareText(act keymap.Action) tea.Cmd {
	d, id, number := p.deps, p.session.ID, p.number
	return p.share.Share(act, func(ctx context.Context) (external.Shared, error) {
		return d.sharedPlan(ctx, id, number)
	})
}

// turn goes to the next version in a direction.
func (p *Plan) turn(by int) tea.Cmd {
	for i, version := range p.versions {
		if version.Number != p.number {
			continue
		}
		if i+by < 0 || i+by >= len(p.versions) {
			p.status = "There is no older version."
			if by > 0 {
				p.status = "This is the latest version."
			}
			return nil
		}
		p.number = p.versions[i+by].Number
		p.round++
		p.loaded, p.problem = false, ""
		p.state.setText(safe.Text{})
		p.outline = nil
		return tea.Batch(p.readText(), p.lookInto())
	}
	return nil
}

// compare shows what changed since the version before.
func (p *Plan) compare() tea.Cmd {
	changes, none := compare.Since(p.deps.comparing(), p.session, p.versions, p.number)
	if changes == nil {
		p.status = none
		return nil
	}
	return screen.Send(screen.Push{Screen: changes, Over: p})
}

func (p *Plan) readVersions() tea.Cmd {
	return screen.Within(func(ctx context.Context) tea.Msg {
		versions, err := p.deps.Store.Plans(ctx, p.session.ID)
		return planVersionsRead{p, versions, err}
	})
}

func (p *Plan) readText() tea.Cmd {
	d, id, number := p.deps, p.session.ID, p.number
	return screen.Within(func(ctx context.Context) tea.Msg {
		text, err := d.Store.PlanText(ctx, id, number)
		return planTextRead{p, number, text, plans.Outline(text), ReadCited(ctx, d.Store, id, map[int]safe.Text{number: text}), err}
	})
}

func (p *Plan) applyText(msg planTextRead) tea.Cmd {
	if msg.screen != p || msg.number != p.number {
		return nil
	}
	p.loaded, p.problem = true, wording.Sentence(msg.err)
	p.round++
	p.state.setText(msg.text)
	p.state.goal, p.line = p.line, 0
	// Without an empty line above the plan, a hit would stand directly below planb's own line.
	p.state.apart = p.state.goal == p.found.line && p.aboveText() == 1
	p.outline, p.cited = msg.outline, msg.cited
	return p.render()
}

// room is the width of prose in cells.
func (p *Plan) room() int { return min(p.panRoom(), screen.ReadCells) }

// panRoom is the width in cells of what does not wrap.
func (p *Plan) panRoom() int { return max(p.page.Width-2*screen.ReadMargin, 1) }

// render adds the sections that are rendered already, and returns the command that renders
// the next one. The view stays where the person scrolled to meanwhile.
func (p *Plan) render() tea.Cmd {
	if !p.loaded || p.page.Look == nil || p.page.Width == 0 {
		return nil
	}
	renderer, room := p.page.Look.Markdown.Citing(p.cited), p.room()
	for !p.state.complete() {
		section := p.state.sections[p.state.done]
		doc, ok := renderer.Cached(section.Text, room)
		if !ok {
			round, at := p.round, p.state.done
			return func() tea.Msg { return planRendered{p, round, at, renderer.Render(section.Text, room)} }
		}
		p.add(doc)
	}
	p.state.scroll(0) // not past the end
	return nil
}

// add appends a rendered section, below a notice of the renderer if there is one.
func (p *Plan) add(doc markdown.Doc) {
	if doc.Notice == "" {
		p.state.add(doc)
		return
	}
	p.state.add(doc, p.page.Look.Styles.Warning.Render(cells.Cut(doc.Notice, p.room())), "")
}

// Close stops listening.
func (p *Plan) Close(context.Context) ([]string, error) {
	p.bell.Stop()
	return nil, p.share.Close()
}

// View draws what is in view of the plan.
func (p *Plan) View() screen.Frame {
	plan, latest := p.version()
	where := ""
	switch {
	case latest && len(p.versions) > 1:
		where = fmt.Sprintf("latest of %d", len(p.versions))
	case len(p.versions) > 1:
		where = fmt.Sprintf("of %d", len(p.versions))
	}
	when := ""
	if !plan.Created.IsZero() {
		when = wording.Moment(plan.Created, p.deps.Now())
	}
	if p.page.Width < 60 { // the percentage is worth more than the date
		when = ""
	}
	percent := ""
	if p.loaded && len(p.state.lines) > p.state.height {
		percent = fmt.Sprintf("%d%%", p.state.percent())
	}
	place := cells.Join(where, when, percent)
	return screen.Frame{
		Title: "planb: " + wording.SessionTitle(p.session),
		Content: p.page.Draw(
			p.page.Header(p.page.Before(p.name(plan), fmt.Sprintf("v%d", p.number), place), place),
			p.body(),
			p.page.Footer(p.keys, p.hints(), p.status)),
	}
}

// name is the title of the version, else its first heading; empty while neither is known.
func (p *Plan) name(plan store.Plan) string {
	switch {
	case !plan.Title.Blank():
		return plan.Title.Line()
	case plan.Number != p.number || !p.loaded || p.problem != "":
		return ""
	case p.state.heading != "":
		return p.state.heading
	}
	return questions.Untitled
}

// hints are the keys that do something now.
func (p *Plan) hints() []keymap.Action {
	var acts []keymap.Action
	if len(p.state.lines) > p.state.height {
		acts = append(acts, keymap.PageDown)
	}
	acts = append(acts, keymap.Escape)
	if len(p.versions) > 0 {
		if p.versions[0].Number < p.number {
			acts = append(acts, keymap.Older)
		}
		if p.versions[len(p.versions)-1].Number > p.number {
			acts = append(acts, keymap.Newer)
		}
	}
	if len(p.outline) > 1 {
		acts = append(acts, keymap.Outline)
	}
	if len(p.led()) > 0 {
		acts = append(acts, keymap.Led)
	}
	if p.state.width > p.panRoom() {
		acts = append(acts, keymap.PanRight)
	}
	if len(p.versions) > 0 && p.versions[0].Number < p.number {
		acts = append(acts, keymap.Changes)
	}
	return append(acts, keymap.Help, keymap.Copy, keymap.Theme, keymap.Quit)
}

func (p *Plan) version() (plan store.Plan, latest bool) {
	for i, version := range p.versions {
		if version.Number == p.number {
			return version, i == len(p.versions)-1
		}
	}
	return store.Plan{}, false
}

func (p *Plan) body() []string {
	st := p.page.Look.Styles
	margin := strings.Repeat(" ", screen.ReadMargin)
	switch {
	case !p.loaded:
		return nil
	case p.problem != "":
		return append([]string{""}, p.wrapped(st.Danger.Render, "! This version cannot be read: "+p.problem)...)
	case len(p.state.lines) == 0 && p.state.complete():
		return []string{"", margin + st.Muted.Render("This version is empty.")}
	}
	top := min(p.state.top, max(len(p.state.lines)-1, 0))
	visible := p.state.lines[top:min(len(p.state.lines), top+p.state.height)]
	lines := make([]string, 0, len(visible)+2)
	if above := p.aboveText(); above > 0 {
		lines = append(lines, p.ledLine())
		for range above - 1 {
			lines = append(lines, "")
		}
	}
	for i, line := range visible {
		if i == 0 && top > 0 {
			line = cells.TopRow(line)
		}
		line = cells.Panned(line, p.state.left, p.panRoom(), 0)
		for _, word := range p.found.words {
			line = cells.Highlighted(line, word, st.Match)
		}
		lead := margin
		if p.found.at(p.number, p.state.sources[top+i]) {
			lead = cells.Pad(st.Accent.Render(marks.Focus), screen.ReadMargin)
		}
		lines = append(lines, lead+line)
	}
	return lines
}

func (p *Plan) wrapped(style func(...string) string, text string) []string {
	var lines []string
	for _, line := range markdown.Plain(safe.New(text), p.room()).Lines {
		lines = append(lines, strings.Repeat(" ", screen.ReadMargin)+style(line))
	}
	return lines
}
