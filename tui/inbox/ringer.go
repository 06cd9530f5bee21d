package inbox

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/screen"
)

// ringer makes the list of sessions heard.
type ringer struct {
	rings    Rings
	announce func(ctx context.Context, text string) error
	notify   notifier // nil: this terminal shows no notifications

	state   ringState
	turning bool // the next turn is on its way
}

// Messages of a ringer to its list.
type (
	ringTurn struct{ list *Screen }
	// ringUntouched names asks whose form nobody has begun to fill in.
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

// noteArrivals looks at what was read for something to ring for.
func (l *Screen) noteArrivals() tea.Cmd {
	if !l.ringer.state.saw(l.state.waiting, l.deps.Now()) {
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

// whereIs says where the person is with an ask that waits.
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

// untouched finds those of the asks into whose form nothing was entered. What
// cannot be read counts as untouched: to ring for nothing does less harm.
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

// ringFor rings once for asks that still wait.
func (l *Screen) ringFor(ids []string) tea.Cmd {
	var asks []Waiting
	for _, w := range l.state.waiting {
		if slices.Contains(ids, w.Ask.ID) && !w.Ask.Asleep(l.deps.Now()) {
			asks = append(asks, w)
		}
	}
	if len(asks) == 0 {
		return nil
	}
	r, words := &l.ringer, ringWords(asks)
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

// announcePatience bounds what shows a message outside: nobody waits for it.
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
