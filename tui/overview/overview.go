package overview

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/preview"
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
	// Err tells why a row cannot be read: its preview says that, and nothing else.
	Err func(T) error
	// Peek reads what only the preview of a row shows, and returns the row with it. It runs
	// outside of the update loop, once the cursor rests on the row.
	Peek func(ctx context.Context, row T, render Render) T
	// Preview says beside the list, or below it, what belongs to a row. The row is as Peek
	// returned it.
	Preview func(row T, p *preview.Lines)
}

// Render lays a Markdown text out for the width of the preview.
type Render func(safe.Text) markdown.Doc

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
	peeks  *screen.Peeks[T]
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
	l.peeks = screen.NewPeeks(after, l.peek)
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
	l.layOut()
	l.peeks.Forget() // its texts are laid out for another width
}

func (l *List[T]) layOut() { l.list.SetLines(l.split().ListLines()) }

// split divides the body below the empty line between the list and the preview.
func (l *List[T]) split() preview.Split {
	return preview.Split{
		Width: l.page.Width, Height: l.page.Height, Lines: l.page.BodyLines() - l.above(),
		Alone: len(l.rows)*rowLines > l.page.BodyLines()/2, Share: listShare,
		Position: l.list.Position(), Rows: l.list.Total(),
	}
}

// listShare is how much of the width, in per cent, the list has beside the preview: enough for
// most titles, with how far each is.
const listShare = 53

// peek returns the row under the cursor and what reads the rest of it, for its preview.
func (l *List[T]) peek() (id string, read func(context.Context) T) {
	row, ok := l.here()
	if !ok || !l.split().Shown() || l.page.Look == nil {
		return "", nil
	}
	renderer, room, peek := l.page.Look.Markdown.Joined(), l.split().Room(), l.of.Peek
	render := func(text safe.Text) markdown.Doc { return renderer.Render(text, room) }
	if l.of.Err(row) != nil {
		peek = func(_ context.Context, row T, _ Render) T { return row }
	}
	return l.of.ID(row), func(ctx context.Context) T { return peek(ctx, row, render) }
}

// above is how many empty lines stand between the header and the list.
func (l *List[T]) above() int {
	if l.page.Height >= screen.RoomyHeight {
		return 1
	}
	return 0
}

func (l *List[T]) Retheme(look *screen.Look) {
	l.page.Look = look
	l.peeks.Forget() // its texts have the colours before
}

// Update handles keys and the mouse, and what was read.
func (l *List[T]) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(l.handle(msg), l.peeks.Follow())
}

func (l *List[T]) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, l.press)
	case tea.MouseWheelMsg:
		l.list.Move(screen.WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if split := l.split(); split.Beside() && msg.X >= split.ListWidth() {
			return nil // in the preview
		}
		if _, again := l.list.Click(msg.Mouse(), screen.HeaderLines+l.above()); again {
			return l.act(keymap.Enter)
		}
	case screen.ThemeKept:
		l.status = msg.Notice
	case screen.ReadDue:
		return l.reads.Heard(msg)
	case screen.PeekDue:
		return l.peeks.Heard(msg)
	case rowsRead[T]:
		if msg.list == l {
			l.apply(msg)
			l.peeks.Forget()
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
		heights[i] = l.height(i)
	}
	l.list.SetRows(heights, at)
	l.layOut()
}

// height is how many lines a row has, with the heading above it if it has one. No empty line
// stands below the last row: it may be whole at the edge of the window.
func (l *List[T]) height(i int) int {
	n := rowLines
	if l.heading(i) != "" {
		n++
	}
	if i == len(l.rows)-1 {
		n--
	}
	return n
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
	header, footer := l.page.Header(l.of.Name, wording.Plural(len(l.rows), l.of.Noun)), l.page.Footer(l.keys, acts, l.status)
	if l.listed() {
		st, split := &l.page.Look.Styles, l.split()
		header[1], footer[0] = split.Joined(st, header[1], "┬"), split.Below(st, footer[0])
	}
	return screen.Frame{Title: l.of.Title, Content: l.page.Draw(header, l.body(), footer)}
}

// listed reports whether there are rows to be drawn.
func (l *List[T]) listed() bool { return l.failed == nil && l.loaded && len(l.rows) > 0 }

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
	split := l.split()
	empty := split
	empty.Lines, empty.Alone = l.above(), true
	return append(empty.Draw(st, make([]string, l.above()), nil), split.Draw(st, l.list.Visible(l.row), l.preview())...)
}

// preview says of the row under the cursor what belongs to it.
func (l *List[T]) preview() []string {
	row, known := l.peeks.Of(l.peeks.Shown())
	if !known || !l.split().Shown() {
		return nil
	}
	return preview.Draw(&l.page.Look.Styles, l.split(), func(p *preview.Lines) {
		if err := l.of.Err(row); err != nil {
			p.Say(p.Styles.Danger.Render, wording.Sentence(err), p.Left())
			return
		}
		l.of.Preview(row, p)
	})
}

// row draws a row below the heading of its group, if the group begins with it.
func (l *List[T]) row(i int) []string {
	const around = 5 // cells beside the second line, and beside the title
	st, width, here := &l.page.Look.Styles, l.split().ListWidth(), i == l.list.Cursor
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
	if lines = append(lines, drawn...); i < len(l.rows)-1 {
		lines = append(lines, "")
	}
	return lines
}

// Close stops listening.
func (l *List[T]) Close(context.Context) ([]string, error) {
	l.reads.Stop()
	return nil, nil
}
