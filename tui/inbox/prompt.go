package inbox

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// prompt is a question below the list about one form or session. It stays about the same
// one, whatever changes in the list meanwhile.
type prompt struct {
	ask    store.Ask
	delete *going        // the session that may be deleted; nil if the prompt is about a form
	act    keymap.Action // keymap.Withdraw, keymap.Snooze or keymap.Delete
	keys   []keymap.Binding
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
	p := &prompt{ask: ask, act: act, keys: keymap.Leaving(l.keys, keymap.Withdrawing())}
	if act == keymap.Snooze {
		now := l.deps.Now()
		p.keys = keymap.Leaving(l.keys, keymap.Snoozing(row.asleep, wording.Until(NextMorning(now), now)))
	}
	l.prompt = p
	l.layOut()
	return nil
}

// answerPrompt handles a key while a prompt is open. A key that is no answer does nothing.
func (l *Screen) answerPrompt(msg tea.KeyPressMsg) tea.Cmd {
	p, act := l.prompt, keymap.ActionOf(l.prompt.keys, msg)
	if act == keymap.None {
		return nil
	}
	ask := p.ask
	l.closePrompt()
	if p.delete != nil {
		if act == keymap.Yes {
			l.letGo(*p.delete)
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

func (l *Screen) closePrompt() {
	l.prompt = nil
	l.layOut()
}

// checkPrompt closes the prompt if its form waits no more.
func (l *Screen) checkPrompt() tea.Cmd {
	if l.prompt == nil || l.prompt.delete != nil || l.state.problem != "" {
		return nil
	}
	for _, w := range l.state.waiting {
		if w.Ask.ID == l.prompt.ask.ID {
			return nil
		}
	}
	l.status = wording.QuoteTitle(l.prompt.ask) + " has ended meanwhile."
	l.closePrompt()
	return nil
}

// promptLines are the question and its consequence.
func (l *Screen) promptLines() []string {
	st, p := l.page.Look.Styles, l.prompt
	room := l.page.Width - 2
	question, follows := p.question()
	lines := []string{l.page.Rule()}
	for _, line := range markdown.Plain(safe.New(question), room).Lines {
		lines = append(lines, " "+st.Title.Render(line))
	}
	if l.promptIsList() {
		hints := l.promptHints()
		for _, hint := range hints[:len(hints)-1] {
			lines = append(lines, " "+st.KeyLine([]screen.Hint{hint}, room))
		}
		return lines
	}
	for _, line := range markdown.Plain(safe.New(follows), room).Lines {
		lines = append(lines, " "+st.Muted.Render(line))
	}
	return lines
}

// question is the text of the prompt, and what follows if the person agrees.
func (p *prompt) question() (question, follows string) {
	switch p.act {
	case keymap.Delete:
		return "Delete " + wording.Quote(wording.SessionTitle(p.delete.Session)) + "?", p.delete.follows() + " It goes when you leave this list; until then u brings it back."
	case keymap.Withdraw:
		who := wording.ClientName(p.ask.Client)
		if who == "" {
			who = "The agent"
		}
		return "Withdraw " + wording.QuoteTitle(p.ask) + "?",
			who + " is told that the question was withdrawn. This cannot be undone."
	}
	return "Snooze " + wording.QuoteTitle(p.ask) + "?",
		"Until then it is not counted and nothing rings. The agent goes on waiting, and you can still answer."
}

// promptIsList reports whether the answers stand below each other because they do not fit
// on one line. The consequence is left out then.
func (l *Screen) promptIsList() bool {
	const oneLine = 73 // cells, with the answer that wakes the form
	return l.prompt.act == keymap.Snooze && l.page.Width < oneLine
}

func (l *Screen) promptHints() []screen.Hint {
	var hints []screen.Hint
	for _, bound := range l.prompt.keys {
		help := bound.Key.Help()
		hints = append(hints, screen.Hint{Label: help.Key, Does: help.Desc})
	}
	return hints
}

// promptFooter lists the answers.
func (l *Screen) promptFooter() []string {
	hints := l.promptHints()
	if l.promptIsList() {
		hints = hints[len(hints)-1:]
	}
	return []string{l.page.Rule(), " " + l.page.Look.Styles.KeyLine(hints, l.page.Width-2)}
}
