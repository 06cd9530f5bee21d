package tui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// submit sends what the person has entered, or asks what is still to be decided.
func (f *form) submit() tea.Cmd {
	f.dialog, f.sheet = nil, nil
	return f.body.submit()
}

// settle hands an outcome to the holder and waits for what becomes of it.
func (f *form) settle(o questions.Outcome) tea.Cmd {
	if err := f.in.Ask.Spec.CheckOutcome(o); err != nil {
		f.dialog = f.refusedDialog(err)
		return nil
	}
	f.gate.trust()
	f.stage, f.dialog, f.sheet, f.outbox.outcome, f.outbox.again = sending, nil, nil, o, false
	return screen.Send(settleRequested{AskID: f.in.Ask.ID, Outcome: o})
}

// refusedDialog says what keeps an outcome from being sent at all, such as
// more text than an answer may hold.
func (f *form) refusedDialog(err error) *dialog {
	d := newDialog("This can't be sent as it is",
		item{letter: "b", label: "Back to the form", does: f.closeDialog},
		item{letter: "c", label: "Copy the answers", does: f.copyAnswers},
	)
	d.tone = toneBad
	var problems questions.Problems
	if errors.As(err, &problems) && len(problems) > 3 {
		err = problems[:3]
	}
	d.says = []string{safe.New(err.Error()).Block()}
	return d
}

// later leaves; the entry is the holder's to keep.
func (f *form) later() tea.Cmd { return f.leave(false) }

func (f *form) laterAll() tea.Cmd { return f.leave(true) }

func (f *form) leave(all bool) tea.Cmd {
	f.gate.trust()
	return screen.Send(laterRequested{AskID: f.in.Ask.ID, All: all})
}

// laterItems are what the menu offers to put off.
func (f *form) laterItems() []item {
	items := []item{{letter: "l", label: "Save for later", does: f.later}}
	if f.in.Serving {
		items = append(items, item{letter: "L", label: "Later: all from " + f.who(), does: f.laterAll})
	}
	return items
}

// copyAnswers copies all that was entered. Dialogs stay open: nothing else shows
// what was copied.
func (f *form) copyAnswers() tea.Cmd { return f.body.copyAll() }

func (f *form) copy(text string) tea.Cmd {
	if text == "" {
		f.say(toneCalm, "Nothing to copy here.")
		return nil
	}
	f.say(toneGood, "Copied: %s", cells.Cut(safe.New(text).Line(), 40))
	return tea.SetClipboard(text)
}

// who is the agent, as it names itself.
func (f *form) who() string { return wording.Asker(f.in.Ask, f.in.Session) }

// when says a moment in a sentence.
func (f *form) when(t time.Time) string { return wording.When(t, f.in.Now()) }
