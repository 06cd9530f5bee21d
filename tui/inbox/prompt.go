package inbox

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/wording"
)

// asked is a question about one form or session. It stays about the same one, whatever
// changes in the list meanwhile.
type asked struct {
	prompt.Prompt
	ask    store.Ask
	delete *going // the session that may be deleted; nil if the question is about a form
}

// Snoozes that are offered.
const (
	SnoozeSoon = 10 * time.Minute
	SnoozeHour = time.Hour
	// The morning begins at morningHour. Less than morningNear before it, the morning of
	// the next day is meant.
	morningHour = 8
	morningNear = 4 * time.Hour
)

// NextMorning is when a snooze until the morning ends, in the time zone of now.
func NextMorning(now time.Time) time.Time {
	morning := time.Date(now.Year(), now.Month(), now.Day(), morningHour, 0, 0, 0, now.Location())
	if morning.Sub(now) < morningNear {
		morning = time.Date(now.Year(), now.Month(), now.Day()+1, morningHour, 0, 0, 0, now.Location())
	}
	return morning
}

// ask opens the prompt about the form under the cursor: whether to withdraw it, or how
// long to snooze it.
func (l *Screen) ask(act keymap.Action) tea.Cmd {
	row, ok := l.state.row()
	if !ok || !row.waiting {
		l.status = "Only what waits for you can be snoozed or withdrawn."
		return nil
	}
	ask := l.state.waiting[row.index].Ask
	if ask.Err != nil {
		l.status = wording.Sentence(ask.Err)
		return nil
	}
	if act == keymap.Snooze {
		now := l.deps.Now()
		l.put(asked{ask: ask, Prompt: prompt.Prompt{
			Keys:     keymap.Snoozing(row.asleep, wording.Until(NextMorning(now), now)),
			Harmless: true,
			Question: "Snooze " + wording.QuoteTitle(ask) + "?",
			Tells:    "While a form is snoozed, planb does not count it and does not ring. The agent goes on waiting, and you can still answer.",
		}})
		return nil
	}
	l.put(asked{ask: ask, Prompt: prompt.Prompt{
		Keys: keymap.Withdrawing(), Danger: true,
		Question: "Withdraw " + wording.QuoteTitle(ask) + "?",
		Tells:    l.state.waiting[row.index].Withdrawal() + " This cannot be undone.",
	}})
	return nil
}

// askDelete opens the question whether to delete a session.
func (l *Screen) askDelete(g going) {
	l.put(asked{delete: &g, Prompt: prompt.Prompt{
		Keys: keymap.Deleting(), Danger: true,
		Question: "Delete " + wording.Quote(wording.SessionTitle(g.Session)) + "?",
		Tells:    g.follows() + " It is deleted when you leave this list; until then u brings it back.",
	}})
}

// put asks something.
func (l *Screen) put(a asked) {
	a.Keys = keymap.Leaving(l.keys, a.Keys)
	l.asked = &a
}

// answerPrompt does what was answered to an open prompt. What is no answer does nothing.
func (l *Screen) answerPrompt(act keymap.Action) tea.Cmd {
	if act == keymap.None {
		return nil
	}
	a := l.asked
	ask := a.ask
	l.asked = nil
	if a.delete != nil {
		if act == keymap.Yes {
			l.letGo(*a.delete)
		}
		return nil
	}
	now := l.deps.Now()
	switch act {
	case keymap.Yes:
		return l.withdraw(ask)
	case keymap.Soon:
		return l.snooze(ask, now.Add(SnoozeSoon))
	case keymap.Hour:
		return l.snooze(ask, now.Add(SnoozeHour))
	case keymap.Morning:
		return l.snooze(ask, NextMorning(now))
	case keymap.Wake:
		return l.snooze(ask, time.Time{})
	}
	return nil
}

// checkPrompt closes the prompt if its form waits no more.
func (l *Screen) checkPrompt() tea.Cmd {
	if l.asked == nil || l.asked.delete != nil || l.state.problem != "" {
		return nil
	}
	for _, w := range l.state.waiting {
		if w.Ask.ID == l.asked.ask.ID {
			return nil
		}
	}
	l.status = wording.QuoteTitle(l.asked.ask) + " has ended meanwhile."
	l.asked = nil
	return nil
}
