package inbox

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/preview"
	"planb/tui/screen"
)

// peek is what the store holds about a row beyond what the list has read.
type peek struct {
	ask   store.Ask       // of a form: with its questions
	entry questions.Entry // what is entered into the form so far
	plan  safe.Text       // of a review: the first lines of the plan
	asks  []store.Ask     // of a session: the newest ones, oldest first, without questions
	err   error           // why it cannot be read
	round int             // of the reads of the list: the peek is as new as that one
}

// peeks reads what the preview shows, for the row on which the cursor rests.
type peeks struct {
	known   map[string]peek // by the id of the row
	row     string          // under the cursor
	shown   string          // the row last previewed
	round   int             // counts the reads of the list
	moves   int             // counts the moves of the cursor
	reading bool
}

const (
	// peekPause is how long the cursor rests on a row before the row is read: a person who
	// holds an arrow key passes many.
	peekPause = 80 * time.Millisecond
	mostPeeks = 64 // that are kept
	mostAsks  = 40 // of a session that are kept
)

// Messages of the inbox to itself about the preview.
type (
	// peekDue says that the cursor may have rested.
	peekDue struct {
		list  *Screen
		moves int // of the cursor until then
	}
	peeked struct {
		list *Screen
		id   string // of the row; empty if only text was rendered
		peek peek
	}
)

func (m peekDue) owner() *Screen { return m.list }
func (m peeked) owner() *Screen  { return m.list }

// follow has the row under the cursor read soon, if the cursor is on another row than
// before.
func (l *Screen) follow() tea.Cmd {
	if !l.split().Shown() || l.state.current() == l.peeks.row {
		return nil
	}
	l.peeks.row = l.state.current()
	if row, ok := l.state.row(); ok && l.previews(row) {
		l.peeks.shown = l.peeks.row
	}
	return l.peekSoon()
}

// previews reports whether all that the preview shows of a row is known.
func (l *Screen) previews(row item) bool {
	_, known := l.peeks.known[l.state.idOf(row)]
	return known || !l.readable(row)
}

// readable reports whether the store holds more about a row.
func (l *Screen) readable(row item) bool {
	switch {
	case row.need:
		return false
	case row.waiting:
		return l.state.waiting[row.index].Ask.Err == nil
	}
	return l.state.sessions[row.index].Err == nil
}

// previewed returns the row that the preview shows: the row under the cursor, or the row
// before it until the new one is read. So the preview changes once, and not first to a part of
// it.
func (l *Screen) previewed() (item, bool) {
	row, ok := l.state.row()
	if !ok || l.previews(row) {
		return row, ok
	}
	for _, shown := range l.state.rows {
		if l.state.idOf(shown) == l.peeks.shown {
			return shown, true
		}
	}
	return row, true
}

// outdate has the row under the cursor read again: the store may hold something else now.
func (l *Screen) outdate() tea.Cmd {
	l.peeks.round++
	return l.peekSoon()
}

func (l *Screen) peekSoon() tea.Cmd {
	l.peeks.moves++
	return l.deps.After(peekPause, peekDue{l, l.peeks.moves})
}

// peek reads what belongs to the row under the cursor, one row at a time. Then it renders
// the plan, if the row is a review.
func (l *Screen) peek() tea.Cmd {
	row, ok := l.state.row()
	if !ok || !l.readable(row) || l.peeks.reading || !l.split().Shown() {
		return nil
	}
	id, d, round := l.state.idOf(row), l.deps, l.peeks.round
	known, have := l.peeks.known[id]
	if have && known.round == round {
		return l.renderPlan(known.plan)
	}
	read := d.peekSession
	if row.waiting {
		read = d.peekForm
	}
	l.peeks.reading = true
	return screen.Within(func(ctx context.Context) tea.Msg {
		found := read(ctx, id)
		found.round = round
		return peeked{l, id, found}
	})
}

func (l *Screen) peeked(msg peeked) tea.Cmd {
	l.peeks.reading = false
	if msg.id != "" {
		if l.peeks.known == nil || len(l.peeks.known) >= mostPeeks {
			l.peeks.known = map[string]peek{}
		}
		l.peeks.known[msg.id], l.peeks.shown = msg.peek, msg.id
	}
	return l.peek()
}

// peekForm reads the questions of a form and what is entered, and of a review the plan.
func (d Deps) peekForm(ctx context.Context, id string) (p peek) {
	if p.ask, p.err = d.Store.Ask(ctx, id); p.err != nil {
		return p
	}
	if p.entry, _, p.err = d.Store.Entry(ctx, id); store.AboutOneRecord(p.err) {
		p.err = nil // the form opens without it, too
	}
	if plan := p.ask.Spec.Plan; plan != nil && p.err == nil {
		var text safe.Text
		text, p.err = d.Store.PlanText(ctx, p.ask.Session, plan.Number)
		p.plan = preview.Head(text)
	}
	return p
}

// peekSession reads what was asked in a session.
func (d Deps) peekSession(ctx context.Context, id string) (p peek) {
	asks, err := d.Store.Asks(ctx, id)
	return peek{asks: append([]store.Ask(nil), asks[max(len(asks)-mostAsks, 0):]...), err: err}
}

// renderPlan renders the plan for the preview, unless that was done before.
func (l *Screen) renderPlan(plan safe.Text) tea.Cmd {
	if plan.IsZero() || l.page.Look == nil {
		return nil
	}
	renderer, room := l.page.Look.Markdown.Joined(), l.split().Room()
	if _, done := renderer.Cached(plan, room); done {
		return nil
	}
	l.peeks.reading = true
	return func() tea.Msg {
		renderer.Render(plan, room)
		return peeked{list: l}
	}
}
