package retro

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/wording"
)

// View draws the session.
func (s *Session) View() screen.Frame {
	agent, place := wording.ClientName(s.session.Client), ""
	if s.state.story != nil {
		place = fmt.Sprintf("%d of %d", s.state.list.Cursor+1, len(s.state.rows))
		if !s.hasPanel() {
			agent = ""
		}
	}
	header := s.page.Header(wording.SessionTitle(s.session), cells.Join(agent, place))
	footer := s.page.FooterSaying(s.keys, s.hints(), s.hintWords(), s.status)
	st, split := &s.page.Look.Styles, s.split()
	header[1], footer[0] = split.Joined(st, header[1], "┬"), split.Joined(st, footer[0], "┴")
	return screen.Frame{Title: "planb: " + wording.SessionTitle(s.session), Content: s.page.Draw(header, s.body(), footer)}
}

// hints are the keys that do something at the event under the cursor.
func (s *Session) hints() (acts []keymap.Action) {
	e, ok := s.state.event()
	if ok && s.opens(e) {
		acts = append(acts, keymap.Enter)
	}
	acts = append(acts, keymap.Escape, keymap.Help)
	if _, older := s.state.version(-1); older {
		acts = append(acts, keymap.Older)
	}
	if ok && s.state.hasChanges() {
		acts = append(acts, keymap.Changes)
	}
	if s.state.folds {
		acts = append(acts, keymap.Unfold)
	}
	if ok && (len(s.panelLinks(e)) > 0 || len(s.state.details[e.Plan].Citations) > 0) {
		acts = append(acts, keymap.Led)
	}
	return append(acts, keymap.Copy, keymap.Theme, keymap.Quit)
}

// hintWords are the words of hints that differ from those of other screens.
func (s *Session) hintWords() map[keymap.Action]string {
	if s.state.unfolded {
		return map[keymap.Action]string{keymap.Unfold: "fold"}
	}
	return nil
}

func (s *Session) body() []string {
	if s.page.Unsized() {
		return nil
	}
	list := s.about()
	if day := s.state.dayOutOfView(); day != "" && len(list) > 0 {
		beside := ""
		if s.page.Height < screen.RoomyHeight {
			beside = s.times()
		}
		list[len(list)-1] = s.dayLine(day, beside) // it costs no row there
	}
	list = append(list, s.visibleRows()...)
	return s.split().Draw(&s.page.Look.Styles, append(list, s.tail()...), s.panel())
}

// split divides the body between the story and the panel.
func (s *Session) split() preview.Split {
	split := s.place()
	if split.Shown() && !split.Beside() {
		split.Fills = len(s.about()) + s.state.list.Total() + len(s.tail())
	}
	return split
}

// place is split before it is known how many lines the story has.
func (s *Session) place() preview.Split {
	return preview.Split{Width: s.page.Width, Height: s.page.Height, Lines: s.page.BodyLines()}
}

func (s *Session) hasPanelBeside() bool { return s.place().Beside() }

func (s *Session) hasPanel() bool { return s.place().Shown() }

func (s *Session) listWidth() int { return s.place().ListWidth() }

// intentLines is how many lines of the intent stand above the list, where the other lines stand. A
// list beside a panel gives it the lines that it leaves empty. The panel of the first event shows all
// of it.
func (s *Session) intentLines(others int) int {
	const least, most, mostBeside = 8, 3, 6 // lines of a body with no intent; most lines of an intent
	switch {
	case s.hasPanelBeside():
		free := s.page.BodyLines() - others - s.state.list.Total() - len(s.tail())
		return max(min(free, mostBeside), 1)
	case s.hasPanel():
		return 1
	}
	return max(min((s.page.BodyLines()-least)/4, most), 0)
}

// about draws what stands above the list: the intent, the project, the times and the id.
func (s *Session) about() []string {
	if s.page.Look == nil || s.page.Unsized() {
		return nil
	}
	st := s.page.Look.Styles
	room := s.listWidth() - 3
	var lines []string
	if s.session.Err != nil {
		const most = 3
		why := markdown.Plain(safe.New("! This session's own record cannot be read: "+wording.Sentence(s.session.Err)), room).Lines
		for _, line := range why[:min(len(why), most)] {
			lines = append(lines, "  "+st.Danger.Render(line))
		}
	}
	var where []string
	if !s.session.Project.Blank() {
		where = append(where, "  "+st.Muted.Render(cells.Cut(s.session.Project.Line(), room)))
	}
	where = append(where, "  "+st.Faint.Render(cells.CutParts(s.times(), room)))
	if s.page.Height >= screen.RoomyHeight {
		where = append(where, "")
	}
	if most := s.intentLines(len(lines) + len(where)); most > 0 && !s.session.Intent.Blank() {
		intent := markdown.Plain(s.session.Intent, room).Lines
		for i, line := range intent[:min(len(intent), most)] {
			if i == most-1 && len(intent) > most {
				line = cells.Cut(line+"…", room)
			}
			lines = append(lines, "  "+st.Text.Render(line))
		}
	}
	return append(lines, where...)
}

// times say when the session began and changed, and its id.
func (s *Session) times() string {
	when, now := "", s.deps.Now()
	if !s.session.Created.IsZero() {
		when = "since " + wording.Moment(s.session.Created, now)
	}
	if s.session.Updated.After(s.session.Created) {
		when = cells.Join(when, "changed "+wording.Ago(s.session.Updated, now))
	}
	return cells.Join(when, safe.New(store.ShortID(s.session.ID)).Line())
}

// tail says below the list what could not be read, or that nothing happened.
func (s *Session) tail() []string {
	if s.page.Look == nil || s.page.Unsized() || !s.loaded {
		return nil
	}
	st := s.page.Look.Styles
	var lines []string
	say := func(style func(...string) string, text string) {
		lines = append(lines, "", "  "+style(cells.Cut(text, s.listWidth()-3)))
	}
	story := s.state.story
	switch {
	case s.problem != "":
		say(st.Danger.Render, "! This session cannot be read: "+s.problem)
	case story == nil:
	case story.AsksErr != nil:
		say(st.Danger.Render, "! What was asked cannot be read: "+wording.Sentence(story.AsksErr))
	case story.PlansErr != nil:
		say(st.Danger.Render, "! The plan's versions cannot be read: "+wording.Sentence(story.PlansErr))
	case len(story.Asks)+len(story.Plans)+len(s.drafts) == 0:
		say(st.Muted.Render, "Nothing was asked in this session, and no plan saved.")
	}
	if s.draftsErr != nil {
		say(st.Danger.Render, "! Its drafts cannot be read: "+wording.Sentence(s.draftsErr))
	}
	if named := Drafts(s.drafts); named != "" {
		say(st.Muted.Render, named)
	}
	return lines
}

func (s *Session) visibleRows() []string {
	if s.page.Look == nil || s.state.story == nil {
		return nil
	}
	return s.state.list.Visible(s.row)
}

// Cells of a row before its words: the focus, the time, the mark.
const (
	clockCells = len("15:04?")
	rowLead    = 2 + clockCells + 1 + 2
	rowEnd     = 1
	verbCells  = 9 // of the column of verbs, where there is room for one
)

// row draws one event. The first event of a day has the date above it.
func (s *Session) row(i int) []string {
	st, width := s.page.Look.Styles, s.listWidth()
	var lines []string
	if day := s.state.days[i]; day != "" {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, s.dayLine(day, ""))
	}
	e := s.state.story.Events[s.state.rows[i]]
	w, style := s.words(i), st.Text
	if w.minor {
		style = st.Faint
	}
	here := i == s.state.list.Cursor
	if here && !w.minor {
		style = st.ItemTitle(here)
	}
	drawn := []string{"  " + st.Faint.Render(s.clock(e)) + " " + w.tone(&st).Render(w.mark) + " " + w.draw(&st, style, width-rowLead-rowEnd, s.hasPanel())}
	if said := s.state.said(e); said != "" {
		tone := st.Note
		if e.Err != nil {
			tone = st.Danger
		}
		drawn = append(drawn, strings.Repeat(" ", rowLead)+tone.Render(cells.Cut(said, width-rowLead-rowEnd)))
	}
	if here {
		drawn = st.FocusedItem(drawn, width)
	}
	return append(lines, drawn...)
}

// dayLine is the heading of a day, with a text at its right end if that leaves a rule between them.
func (s *Session) dayLine(day, right string) string {
	const least = 3
	st := &s.page.Look.Styles
	rule := max(s.listWidth()-ansi.StringWidth(day)-4, 0)
	if left := rule - ansi.StringWidth(right) - 1; right != "" && left >= least {
		rule, right = left, " "+st.Faint.Render(right)
	} else {
		right = ""
	}
	return "  " + st.Muted.Render(day) + " " + st.Rule.Render(strings.Repeat("─", rule)) + right
}

// clock is the time of an event. A question mark marks a time that cannot be right.
func (s *Session) clock(e timeline.Event) string {
	if e.At.IsZero() {
		return strings.Repeat(" ", clockCells)
	}
	at := e.At.In(s.deps.Now().Location()).Format("15:04")
	if e.Misdated {
		at += "?"
	}
	return cells.Pad(at, clockCells)
}

// draw draws the verb, in a column of its own or not, the title, and at the right end the
// longest of the texts that leaves the title whole.
func (w eventWords) draw(st *screen.Styles, style cells.Style, room int, column bool) string {
	text := strings.TrimSuffix(w.verb+": "+w.title, ": ")
	if column {
		text = strings.TrimRight(cells.Pad(w.verb, verbCells)+" "+w.title, " ")
	}
	right := ""
	if len(w.right) > 0 {
		free := room - ansi.StringWidth(text) - 2
		right = cells.Cut(cells.Longest(free, w.right...), max(free, room/2))
	}
	if right == "" {
		return style.Render(cells.Cut(text, room))
	}
	return style.Render(cells.Pad(text, room-ansi.StringWidth(right)-2)) + "  " + w.drawRight(st, right)
}

func (w eventWords) drawRight(st *screen.Styles, right string) string {
	added, removed, isChange := strings.Cut(right, " −")
	switch {
	case isChange:
		return st.Success.Render(added) + " " + st.Danger.Render("−"+removed)
	case w.mark == "!":
		return st.Danger.Render(right)
	}
	return st.Faint.Render(right)
}
