package inbox

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/cells"
	"planb/tui/screen"
)

// Rings says how the inbox tells the person that a form came in. The zero value is silent.
//
// It rings once for all forms that come in within a second, and again when a snooze ends. It
// does not ring for forms that waited when the inbox was opened, that were settled within
// that second, or that are open over the inbox. A form in another pane of the same person
// has rung there, so the inbox rings for it only if that pane stays untouched for a while.
type Rings struct {
	Bell    bool // the terminal's bell
	Title   bool // how many wait, in the window's title
	Desktop bool // a desktop notification, where the terminal is known to show them
	Message bool // a message through Deps.Announce
}

// ringer tells the person outside of the screen when a form comes in.
type ringer struct {
	rings    Rings
	announce func(ctx context.Context, text string) error
	notify   notifier // nil: this terminal shows no notifications

	state   ringState
	turning bool // a ringTurn is due
}

// Messages of a ringer to its list.
type (
	ringTurn struct{ list *Screen }
	// ringUntouched names the asks whose form is still empty.
	ringUntouched struct {
		list *Screen
		ids  []string
	}
	ringFailed struct {
		list *Screen
		err  error
	}
)

func (m ringTurn) owner() *Screen      { return m.list }
func (m ringUntouched) owner() *Screen { return m.list }
func (m ringFailed) owner() *Screen    { return m.list }

// noteArrivals gives the ringer what was read.
func (l *Screen) noteArrivals() tea.Cmd {
	if !l.ringer.state.saw(l.state.waiting, l.state.needs, l.deps.Now()) {
		return nil
	}
	return l.nextRingTurn()
}

func (l *Screen) nextRingTurn() tea.Cmd {
	if l.ringer.turning {
		return nil
	}
	l.ringer.turning = true
	return l.deps.After(ringGather, ringTurn{l})
}

func (l *Screen) ringTurn() tea.Cmd {
	l.ringer.turning = false
	ring, unlessBegun := l.ringer.state.turn(l.whereIs)
	var again tea.Cmd
	if len(l.ringer.state.fresh) > 0 {
		again = l.nextRingTurn()
	}
	return tea.Batch(l.ringFor(ring), l.untouched(unlessBegun), again)
}

// whereIs says where the person has the form of an ask open.
func (l *Screen) whereIs(id string) elsewhere {
	if id == l.openForm {
		return inThisOne
	}
	for _, w := range l.state.waiting {
		if w.Ask.ID == id && slices.ContainsFunc(w.Shown, func(c store.Claim) bool { return c.Note == l.deps.By }) {
			return inAPane
		}
	}
	return nowhere
}

// untouched finds the asks whose form is still empty. An entry that cannot be read counts
// as empty, because a ring for nothing does less harm than none.
func (l *Screen) untouched(ids []string) tea.Cmd {
	if len(ids) == 0 {
		return nil
	}
	return screen.Within(func(ctx context.Context) tea.Msg {
		return ringUntouched{l, slices.DeleteFunc(ids, func(id string) bool {
			_, begun, err := l.deps.Store.Entry(ctx, id)
			return begun && err == nil
		})}
	})
}

// ringFor rings once for those of the asks that still wait.
func (l *Screen) ringFor(ids []string) tea.Cmd {
	var asks []Waiting
	for _, w := range l.state.waiting {
		if slices.Contains(ids, w.Ask.ID) && !w.Ask.Asleep(l.deps.Now()) {
			asks = append(asks, w)
		}
	}
	needs := slices.DeleteFunc(slices.Clone(l.state.needs), func(n Need) bool {
		return !slices.ContainsFunc(n.rings, func(id string) bool { return slices.Contains(ids, id) })
	})
	if len(asks)+len(needs) == 0 {
		return nil
	}
	r, words := &l.ringer, cells.JoinBy("; ", ringWords(asks), needWords(needs))
	var raw strings.Builder
	if r.rings.Bell {
		raw.WriteString(screen.BEL)
	}
	if r.rings.Desktop && r.notify != nil {
		raw.WriteString(r.notify("planb", words))
	}
	var cmds []tea.Cmd
	if raw.Len() > 0 {
		cmds = append(cmds, tea.Raw(raw.String()))
	}
	if r.rings.Message && r.announce != nil {
		cmds = append(cmds, l.tellOutside("planb: "+words))
	}
	return tea.Batch(cmds...)
}

// announcePatience is the time limit for showing a message outside.
const announcePatience = 5 * time.Second

func (l *Screen) tellOutside(text string) tea.Cmd {
	announce := l.ringer.announce
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), announcePatience)
		defer cancel()
		if err := announce(ctx, text); err != nil {
			return ringFailed{l, err}
		}
		return nil
	}
}
