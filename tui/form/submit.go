package form

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// submit has the body send the entry, or ask the person for what is missing.
func (f *Form) submit() tea.Cmd {
	f.dialog, f.sheet = nil, nil
	return f.body.Submit()
}

// settle gives an outcome to the holder to store, and waits for the result.
func (f *Form) settle(o questions.Outcome) tea.Cmd {
	if err := f.in.Ask.Spec.CheckOutcome(o); err != nil {
		f.dialog = f.refusedDialog(err)
		return nil
	}
	f.gate.trust()
	f.stage, f.dialog, f.sheet, f.outbox.outcome, f.outbox.again = sending, nil, nil, o, false
	return screen.Send(SettleRequested{AskID: f.in.Ask.ID, Outcome: o})
}

// refusedDialog says why an outcome is not valid, for example because an answer has too
// much text.
func (f *Form) refusedDialog(err error) *prompt.Dialog {
	d := prompt.NewDialog("This can't be sent as it is",
		prompt.Item{Letter: "b", Label: "Back to the form", Does: f.closeDialog},
		prompt.Item{Letter: "c", Label: "Copy the answers", Does: f.copyAnswers},
	)
	d.Tone = screen.ToneBad
	var problems questions.Problems
	if errors.As(err, &problems) && len(problems) > 3 {
		err = problems[:3]
	}
	d.Says = []string{safe.New(err.Error()).Block()}
	return d
}

// later leaves the form. The holder keeps the entry; where it does not, the person is asked
// first.
func (f *Form) later() tea.Cmd {
	if fields, _ := f.body.Save(); f.in.Own && len(fields) > 0 {
		f.dialog = f.throwDialog()
		return nil
	}
	return f.leave(false)
}

// throwDialog asks whether to leave what is kept nowhere.
func (f *Form) throwDialog() *prompt.Dialog {
	d := prompt.NewDialog("Throw away what you said?",
		prompt.Item{Letter: "b", Label: "Go on", Does: f.closeDialog},
		prompt.Item{Letter: "c", Label: "Copy it", Does: f.copyAnswers},
		prompt.Item{Letter: "x", Label: "Throw it away", Tone: screen.ToneBad, Does: f.laterAll})
	d.Tone, d.Says = screen.ToneWarn, []string{"It was not sent, and it is kept nowhere."}
	return d
}

func (f *Form) laterAll() tea.Cmd { return f.leave(true) }

func (f *Form) leave(all bool) tea.Cmd {
	f.gate.trust()
	return screen.Send(LaterRequested{AskID: f.in.Ask.ID, All: all})
}

// laterItems returns the menu's items to save for later.
func (f *Form) laterItems() []prompt.Item {
	items := []prompt.Item{{Letter: "l", Label: "Save for later", Does: f.later}}
	if f.in.Serving {
		items = append(items, prompt.Item{Letter: "L", Label: "Later: all from " + f.who(), Does: f.laterAll})
	}
	return items
}

// copyAnswers copies the whole entry. Dialogs stay open, because only they show what was
// copied.
func (f *Form) copyAnswers() tea.Cmd { return f.body.CopyAll() }

func (f *Form) copy(text string) tea.Cmd {
	if text == "" {
		f.Say(screen.ToneCalm, "Nothing to copy here.")
		return nil
	}
	f.Say(screen.ToneGood, "Copied: %s", cells.Cut(safe.New(text).Line(), 40))
	return tea.SetClipboard(text)
}

// who returns the agent's name, as sentences have it.
func (f *Form) who() string { return wording.Asker(f.in.Ask, f.in.Session) }

// when words a time for a sentence.
func (f *Form) when(t time.Time) string { return wording.When(t, f.in.Now()) }
