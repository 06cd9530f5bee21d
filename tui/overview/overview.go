package overview

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Of says what a list lists.
type Of[T any] struct {
	Title string // of the terminal's window
	Name  string // in the header
	Noun  string // of one row, counted in the header
	Help  string // the heading of the help

	// Read reads the rows in the order in which they are listed.
	Read func(ctx context.Context) ([]T, error)
	// ID tells a row from all others, also after the rows were read again.
	ID func(T) string
	// Group is the heading of the group that a row belongs to.
	Group func(T) string
	// Yours reports whether a row waits for the person; its group is then headed in that colour.
	Yours func(T) bool
	// Draw draws a row. Its second line has room cells.
	Draw func(row T, st *screen.Styles, room int) Row
	// Empty is shown in place of rows if there are none.
	Empty func() screen.Welcome
	// Open returns the screen of a row.
	Open func(T) screen.Screen
	// More names the keys that a row has besides those of every row, and Act does them. Both
	// may be nil.
	More func(T) []keymap.Action
	Act  func(act keymap.Action, row T) tea.Cmd
}

// Row is a drawn row.
type Row struct {
	Mark  string // one cell
	Title string // not drawn yet: its style depends on the cursor
	Right string // at the right of the title
	Below string // the second line
}

// List is the screen.
type List[T any] struct {
	of   Of[T]
	over screen.Screen
	rows []T
	list screen.List

	reads  *screen.Reader
	page   screen.Page
	keys   []keymap.Binding
	loaded bool
	failed error
	status string
}

// New returns a list with these keys, which reads a store. A screen that embeds the list
// names itself with Within.
func New[T any](of Of[T], keys []keymap.Binding, store screen.Watcher, after func(time.Duration, tea.Msg) tea.Cmd) *List[T] {
	l := &List[T]{of: of, keys: keys}
	l.over = l
	l.reads = screen.NewReader(store, after, l.read)
	return l
}

// Within says which screen embeds the list, so that the window finds that one.
func (l *List[T]) Within(s screen.Screen) { l.over = s }

// rowsRead brings the rows to the list that read them.
type rowsRead[T any] struct {
	list *List[T]
	rows []T
	err  error
}

// Init reads the rows and listens for changes.
func (l *List[T]) Init() tea.Cmd { return l.reads.Start() }

func (l *List[T]) read() tea.Cmd {
	return screen.Within(func(ctx context.Context) tea.Msg {
		rows, err := l.of.Read(ctx)
		return rowsRead[T]{l, rows, err}
	})
}

// Reread reads the rows again.
func (l *List[T]) Reread() tea.Cmd { return l.reads.Read() }

// Say tells the person something until the next key.
func (l *List[T]) Say(status string) { l.status = status }

func (l *List[T]) Resize(width, height int) {
	l.page.Width, l.page.Height = width, height
	l.list.SetLines(l.page.BodyLines() - l.above())
}

// above is how many empty lines stand between the header and the list.
func (l *List[T]) above() int {
	if l.page.Height >= screen.RoomyHeight {
		return 1
	}
	return 0
}

func (l *List[T]) Retheme(look *screen.Look) { l.page.Look = look }

// Update handles keys and the mouse, and what was read.
func (l *List[T]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, l.press)
	case tea.MouseWheelMsg:
		l.list.Move(screen.WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if _, again := l.list.Click(msg.Mouse(), screen.HeaderLines+l.above()); again {
			return l.act(keymap.Enter)
		}
	case screen.ThemeKept:
		l.status = msg.Notice
	case screen.ReadDue:
		return l.reads.Heard(msg)
	case rowsRead[T]:
		if msg.list == l {
			l.apply(msg)
			return l.reads.Done(screen.RefreshPause)
		}
	}
	return nil
}

// apply shows what was read. The cursor stays on its row.
func (l *List[T]) apply(msg rowsRead[T]) {
	if l.failed = msg.err; msg.err != nil {
		return
	}
	at := l.list.Cursor
	if row, ok := l.here(); ok {
		id := l.of.ID(row)
		if now := slices.IndexFunc(msg.rows, func(other T) bool { return l.of.ID(other) == id }); now >= 0 {
			at = now
		}
	}
	l.rows, l.loaded = msg.rows, true
	heights := make([]int, len(l.rows))
	for i := range heights {
		heights[i] = rowLines
		if l.heading(i) != "" {
			heights[i]++
		}
	}
	l.list.SetRows(heights, at)
}

// here returns the row under the cursor.
func (l *List[T]) here() (row T, ok bool) {
	if l.list.Cursor >= len(l.rows) {
		return row, false
	}
	return l.rows[l.list.Cursor], true
}

func (l *List[T]) press(msg tea.KeyPressMsg) tea.Cmd {
	l.status = ""
	return l.act(keymap.ActionOf(l.keys, msg))
}

func (l *List[T]) act(act keymap.Action) tea.Cmd {
	if l.list.Act(act) {
		return nil
	}
	row, ok := l.here()
	if cmd := screen.ActCommon(act, l.over, l.of.Help, l.keys); cmd != nil || !ok {
		return cmd
	}
	if act == keymap.Enter {
		return screen.Send(screen.Push{Screen: l.of.Open(row), Over: l.over})
	}
	if l.of.Act != nil {
		return l.of.Act(act, row)
	}
	return nil
}

// rowLines is the height of a row: the title, what is said below it, and an empty line.
const rowLines = 3

// heading names the group that begins with a row; empty if none does.
func (l *List[T]) heading(i int) string {
	group := l.of.Group(l.rows[i])
	if i > 0 && l.of.Group(l.rows[i-1]) == group {
		return ""
	}
	return group
}

func (l *List[T]) View() screen.Frame {
	acts := []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}
	switch row, ok := l.here(); {
	case !ok:
		acts = acts[1:]
	case l.of.More != nil:
		acts = append(l.of.More(row), acts...)
	}
	return screen.Frame{Title: l.of.Title, Content: l.page.Draw(
		l.page.Header(l.of.Name, wording.Plural(len(l.rows), l.of.Noun)), l.body(),
		l.page.Footer(l.keys, acts, l.status))}
}

func (l *List[T]) body() []string {
	st := &l.page.Look.Styles
	switch {
	case l.failed != nil:
		return []string{"", " " + st.Danger.Render(cells.Cut("! "+wording.Sentence(l.failed), l.page.Width-2))}
	case !l.loaded:
		return nil
	case len(l.rows) == 0:
		return l.page.Welcome(l.of.Empty(), l.page.BodyLines())
	}
	return append(make([]string, l.above()), l.list.Visible(l.row)...)
}

// row draws a row below the heading of its group, if the group begins with it.
func (l *List[T]) row(i int) []string {
	const around = 5 // cells beside the second line, and beside the title
	st, width, here := &l.page.Look.Styles, l.page.Width, i == l.list.Cursor
	var lines []string
	if heading := l.heading(i); heading != "" {
		style, n := st.Strong, 0
		if l.of.Yours(l.rows[i]) {
			style = st.Required.Bold(true)
		}
		for _, row := range l.rows {
			if l.of.Group(row) == heading {
				n++
			}
		}
		lines = append(lines, "  "+style.Render(heading)+st.Muted.Render(fmt.Sprintf("  %d", n)))
	}
	row := l.of.Draw(l.rows[i], st, width-around)
	drawn := []string{
		"  " + row.Mark + " " + cells.Sides(st.ItemTitle(here).Render(row.Title), row.Right, width-around),
		"    " + row.Below,
	}
	if here {
		drawn = st.FocusedItem(drawn, width)
	}
	return append(append(lines, drawn...), "")
}

// Close stops listening.
func (l *List[T]) Close(context.Context) ([]string, error) {
	l.reads.Stop()
	return nil, nil
}
