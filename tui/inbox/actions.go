package inbox

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Messages to the inbox about what the person did with a form other than answer it.
type (
	// actionDone says whether a form was snoozed or withdrawn.
	actionDone struct {
		list  *Screen
		said  string
		err   error
		ask   string
		until time.Time // snoozed until then; zero: not snoozed
	}
	// snoozeOver says that it is the time at which a snooze was to end.
	snoozeOver struct {
		list *Screen
		at   time.Time
	}
)

func (m actionDone) owner() *Screen { return m.list }
func (m snoozeOver) owner() *Screen { return m.list }

// withdraw ends a form without an answer.
func (l *Screen) withdraw(ask store.Ask) tea.Cmd {
	d, what := l.deps, wording.QuoteTitle(ask)
	return screen.Within(func(ctx context.Context) tea.Msg {
		return actionDone{list: l, said: "Withdrawn: " + what, err: Withdraw(ctx, d.Store, ask.ID, d.By)}
	})
}

// settler ends asks.
type settler interface {
	Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error)
}

// Withdraw ends an ask without an answer, for the person that by names.
func Withdraw(ctx context.Context, in settler, id, by string) error {
	_, err := in.Settle(ctx, id, questions.Outcome{State: questions.Withdrawn, Message: safe.New(wording.TookBack), By: by})
	return err
}

// snooze puts a form off; the zero time wakes it.
func (l *Screen) snooze(ask store.Ask, until time.Time) tea.Cmd {
	d, what := l.deps, wording.QuoteTitle(ask)
	said := "Awake again: " + what
	if until.IsZero() {
		l.ringer.state.known(ask.ID)
	} else {
		said = "Snoozed until " + wording.Until(until, d.Now()) + ": " + what
	}
	return screen.Within(func(ctx context.Context) tea.Msg {
		return actionDone{l, said, d.Store.Snooze(ctx, ask.ID, until), ask.ID, until}
	})
}

func (l *Screen) done(msg actionDone) tea.Cmd {
	l.status, l.here = msg.said, true
	switch {
	case msg.err != nil:
		l.status = "Not done: " + wording.Sentence(msg.err)
	case !msg.until.IsZero():
		l.state.nap(msg.ask, msg.until)
		l.layOut()
	}
	return l.read()
}

// wakeSoon waits for the end of the next snooze.
func (l *Screen) wakeSoon() tea.Cmd {
	next := l.state.nextWake()
	if next.IsZero() || next.Equal(l.wakeAt) {
		return nil
	}
	l.wakeAt = next
	return l.deps.After(max(next.Sub(l.deps.Now()), time.Millisecond), snoozeOver{l, next})
}

func (l *Screen) wakes(msg snoozeOver) tea.Cmd {
	if !msg.at.Equal(l.wakeAt) {
		return nil
	}
	l.wakeAt = time.Time{}
	l.state.look(l.deps.Now())
	l.layOut()
	return tea.Batch(l.noteArrivals(), l.tellOthers(), l.wakeSoon())
}

// waitingBeside counts the forms that wait, without the one of an ask.
func (l *Screen) waitingBeside(id string) int {
	n := l.state.awake()
	for _, w := range l.state.waiting {
		if w.Ask.ID == id && !w.Ask.Asleep(l.state.now) {
			n--
		}
	}
	return n
}

// tellOthers tells the form that is open over the list how many others wait, if that
// changed.
func (l *Screen) tellOthers() tea.Cmd {
	if l.openForm == "" {
		return nil
	}
	others := l.waitingBeside(l.openForm)
	if others == l.others {
		return nil
	}
	l.others = others
	return screen.Send(ask.Beside{Others: others})
}
