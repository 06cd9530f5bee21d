package inbox

import (
	"context"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/preview"
)

// peek is what the store holds about a row beyond what the list has read.
type peek struct {
	ask   store.Ask       // of a form: with its questions
	entry questions.Entry // what is entered into the form so far
	plan  safe.Text       // of a review: the first lines of the plan
	asks  []store.Ask     // of a session: the newest ones, oldest first, without questions
	err   error           // why it cannot be read
}

const mostAsks = 40 // of a session that are kept

// toPeek returns the row under the cursor, and what reads the rest of it for the preview. The
// plan of a review is then rendered, too.
func (l *Screen) toPeek() (id string, read func(context.Context) peek) {
	row, ok := l.state.row()
	if !ok || !l.split().Shown() || l.page.Look == nil {
		return "", nil
	}
	id = l.state.idOf(row)
	if !l.readable(row) {
		return id, nil
	}
	d, renderer, room := l.deps, l.page.Look.Markdown.Joined(), l.split().Room()
	return id, func(ctx context.Context) peek {
		if !row.waiting {
			return d.peekSession(ctx, id)
		}
		p := d.peekForm(ctx, id)
		if !p.plan.IsZero() {
			renderer.Render(p.plan, room)
		}
		return p
	}
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

// previewed returns the row that the preview shows.
func (l *Screen) previewed() (item, bool) {
	id := l.peeks.Shown()
	row, ok := l.state.row()
	if !ok || l.state.idOf(row) == id {
		return row, ok
	}
	for _, shown := range l.state.rows {
		if l.state.idOf(shown) == id {
			return shown, true
		}
	}
	return row, true
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
