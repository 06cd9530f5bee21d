package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
)

// Pick is a list over a screen, from which the person goes to another place.
type Pick struct {
	name  string
	about string // at the right of the header
	rows  []Row
	list  List
	page  Page
	keys  []keymap.Binding
	// column is where what stands at the right of a text begins, in a list with headings: close
	// to the texts. It is 0 in others, where it ends with the window.
	column int
	marked bool  // a row has a mark
	folds  []int // of each row: the most lines of its quotation
}

// Row is a place to go to.
type Row struct {
	Heading string                       // of the group that begins with the row
	Mark    string                       // before the text, in one cell
	Tone    func(st *Styles) cells.Style // of the mark
	Text    string
	Right   string
	Fold    int // Right is quoted, below the text if it has no room beside it, and there on so many lines if there is no room for more; 0: it is cut beside it
	Indent  int
	Damaged bool
	Open    func(from Screen) tea.Cmd
}

// NewPick returns a list of rows with the cursor on the row at. There must be at least one row.
func NewPick(keys keymap.Keys, name, about string, rows []Row, at int) *Pick {
	s := &Pick{name: name, about: about, rows: rows, keys: keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...))}
	const gap = 4
	longest, grouped := 0, false
	for _, row := range rows {
		s.marked = s.marked || row.Mark != ""
		longest, grouped = max(longest, cells.Width(row.Text)), grouped || row.Heading != ""
	}
	if grouped {
		s.column = longest + gap
	}
	s.list.Cursor = at
	s.measure()
	return s
}

// measure gives the rows their heights. Lines that would stay empty go to quotations that have
// more to say.
func (s *Pick) measure() {
	heights := make([]int, len(s.rows))
	spare := s.page.BodyLines()
	s.folds = s.folds[:0]
	for i, row := range s.rows {
		s.folds = append(s.folds, row.Fold)
		heights[i] = 1 + len(s.above(i)) + len(s.below(i))
		spare -= heights[i]
	}
	for i, row := range s.rows {
		if row.Fold == 0 || spare <= 0 {
			continue
		}
		s.folds[i] += spare
		more := 1 + len(s.above(i)) + len(s.below(i)) - heights[i]
		heights[i] += more
		spare -= more
	}
	s.list.SetRows(heights, s.list.Cursor)
}

// Init starts nothing: the places are known.
func (s *Pick) Init() tea.Cmd { return nil }

// Resize lays the list out.
func (s *Pick) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.measure()
	s.list.SetLines(s.page.BodyLines())
}

// Retheme takes the look.
func (s *Pick) Retheme(look *Look) { s.page.Look = look }

// Update moves in the list and goes where the person chooses.
func (s *Pick) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return EscapeFirst(msg, s.press)
	case tea.MouseWheelMsg:
		s.list.Move(WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if hit, _ := s.list.Click(msg.Mouse(), HeaderLines); hit {
			return s.rows[s.list.Cursor].Open(s)
		}
	}
	return nil
}

func (s *Pick) press(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(s.keys, msg)
	if s.list.Act(act) {
		return nil
	}
	if act == keymap.Enter {
		return s.rows[s.list.Cursor].Open(s)
	}
	return ActCommon(act, s, s.name, s.keys)
}

// View draws the list.
func (s *Pick) View() Frame {
	return Frame{Title: "planb: " + s.name, Content: s.page.Draw(
		s.page.Header(s.name, s.about), s.body(),
		s.page.Footer(s.keys, []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}, ""))}
}

func (s *Pick) body() []string { return s.list.Visible(s.row) }

// above are the lines above a row: the heading of its group, apart from the group before.
func (s *Pick) above(i int) []string {
	switch heading := s.rows[i].Heading; {
	case heading == "":
		return nil
	case i == 0:
		return []string{heading}
	default:
		return []string{"", heading}
	}
}

// below are the lines below a row: a quotation that has no room at its right. One that is cut is
// closed all the same.
func (s *Pick) below(i int) []string {
	const quotes = 2 // cells
	row := s.rows[i]
	room := s.page.Width - 2 - rowIndent
	if beside := room - max(s.column, cells.Width(row.Text)) - 2; row.Fold == 0 || s.page.Unsized() || cells.Width(row.Right)+quotes <= beside {
		return nil
	}
	room = min(room-1, ReadCells)
	lines := cells.Lines(quoted(row.Right), room)
	if most := s.folds[i]; len(lines) > most {
		lines = lines[:most]
		last := strings.TrimSuffix(cells.CutWords(lines[most-1]+"…", room-1), "…")
		lines[most-1] = strings.TrimRight(last, " .,;:") + "…”"
	}
	return lines
}

func quoted(text string) string { return "“" + text + "”" }

// rowIndent is how many cells further than a row what stands below it begins.
const rowIndent = 2

func (s *Pick) row(i int) (lines []string) {
	st := &s.page.Look.Styles
	for _, heading := range s.above(i) {
		lines = append(lines, " "+st.Strong.Render(cells.Cut(heading, s.page.Width-2)))
	}
	row := s.rows[i]
	style := st.ItemTitle(i == s.list.Cursor)
	if row.Damaged {
		style = st.Danger
	}
	room := s.page.Width - 3 // the right end is that of the header
	lead := "  "
	if s.marked {
		mark := " "
		if row.Mark != "" {
			mark = row.Tone(st).Render(row.Mark)
		}
		lead, room = lead+mark+" ", room-2
	}
	text := cells.Cut(strings.Repeat("  ", min(row.Indent, room/4))+row.Text, room)
	line := lead + style.Render(text)
	below := s.below(i)
	right := cells.CutParts(row.Right, room/2)
	if row.Fold > 0 {
		right = quoted(row.Right)
	}
	if right != "" && len(below) == 0 {
		width := room - 2 - ansi.StringWidth(right)
		if s.column > 0 {
			width = min(width, s.column)
		}
		line = lead + style.Render(cells.Pad(cells.Cut(text, width), width)) + "  " + st.Faint.Render(right)
	}
	drawn := []string{line}
	for _, line := range below {
		drawn = append(drawn, strings.Repeat(" ", 2+rowIndent)+st.Faint.Render(line))
	}
	if i == s.list.Cursor {
		for n := range drawn {
			drawn[n] = st.Focused(drawn[n], s.page.Width)
		}
	}
	return append(lines, drawn...)
}
