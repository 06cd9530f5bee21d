package tui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// submit sends the form, unless a required question is open: then it goes
// there. With optional ones open it shows all answers first; there it sends.
func (f *form) submit() tea.Cmd {
	f.dialog, f.sheet = nil, nil
	if f.review != nil {
		f.dialog = f.review.decide()
		return nil
	}
	f.state.leaveText()
	switch f.state.trySubmit() {
	case submitMissed:
		f.summary = nil
		f.say(toneBad, "%s still needed.", wording.Count(len(f.state.answers().missing), "required answer"))
		return nil
	case submitOpen:
		if f.summary == nil {
			f.summary = newSummary(f.state, true)
			return nil
		}
	}
	return f.settle(questions.Outcome{State: questions.Answered, Reply: f.state.answers().reply})
}

// settle hands an outcome to the holder and waits for what becomes of it.
func (f *form) settle(o questions.Outcome) tea.Cmd {
	if err := f.state.spec.CheckOutcome(o); err != nil {
		f.dialog = f.refusedDialog(err)
		return nil
	}
	f.gate.trust()
	f.stage, f.dialog, f.sheet, f.sent, f.again = sending, nil, nil, o, false
	return screen.Send(settleRequested{AskID: f.in.Ask.ID, Outcome: o})
}

// refusedDialog says what keeps an outcome from being sent at all, such as
// more text than an answer may hold.
func (f *form) refusedDialog(err error) *dialog {
	d := newDialog("This can't be sent as it is",
		item{letter: "b", label: "Back to the form", does: closeDialog},
		item{letter: "c", label: "Copy the answers", does: (*form).copyAnswers},
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
	items := []item{{letter: "l", label: "Save for later", does: (*form).later}}
	if f.in.Serving {
		items = append(items, item{letter: "L", label: "Later: all from " + f.who(), does: (*form).laterAll})
	}
	return items
}

// openBefore names the questions that are open now and were answered when the
// whole form was.
func (f *form) openBefore() []string {
	earlier := f.state.spec.EntryFrom(f.in.Prior.Outcome.Reply)
	return slices.DeleteFunc(f.state.answers().unanswered, func(id string) bool {
		_, answered := earlier.Fields[id]
		return !answered
	})
}

// takePrior answers what is still open with the earlier answers.
func (f *form) takePrior() tea.Cmd {
	f.dialog = nil
	if !f.prior {
		return nil
	}
	earlier := f.state.spec.EntryFrom(f.in.Prior.Outcome.Reply)
	taken := f.openBefore()
	for _, id := range taken {
		d, e := earlier.Fields[id], f.state.controls[f.state.index(id)]
		if note := safe.New(e.note.Text()); !note.Blank() {
			d.Note = note // what was written now stays
		}
		e.load(d)
		e.alert = ""
	}
	f.state.touch()
	f.prior = false
	for _, e := range f.state.controls {
		e.version++ // what was answered before may be said otherwise now
	}
	if len(taken) == 0 {
		f.say(toneCalm, "Nothing that is open was answered before.")
		return nil
	}
	f.say(toneGood, "%s taken over. Look through them, then submit.", wording.Count(len(taken), "earlier answer"))
	return nil
}

// copyFocused copies what has the focus.
func (f *form) copyFocused() tea.Cmd {
	text := f.state.spec.Title.Raw()
	switch e := f.state.focused(); {
	case e != nil:
		text = e.copyText()
	case f.state.zone == inBody:
		text = f.state.spec.Intro.Raw()
	}
	return f.copy(text)
}

// copyAnswers copies all answers as JSON. Dialogs stay open: nothing else shows
// what was copied.
func (f *form) copyAnswers() tea.Cmd {
	if f.review != nil {
		return f.review.copyAll(f)
	}
	if len(f.state.answers().reply.Answers) == 0 {
		f.say(toneCalm, "There is no answer to copy.")
		return nil
	}
	return f.copy(string(f.answersJSON()))
}

func (f *form) answersJSON() []byte {
	return f.state.spec.AnswersJSON(f.state.answers().reply)
}

func (f *form) copy(text string) tea.Cmd {
	if text == "" {
		f.say(toneCalm, "Nothing to copy here.")
		return nil
	}
	f.say(toneGood, "Copied: %s", cells.Cut(safe.New(text).Line(), 40))
	return tea.SetClipboard(text)
}

// who is the agent, as it names itself.
func (f *form) who() string {
	for _, client := range []safe.Text{
		f.in.Ask.Client.Title, f.in.Ask.Client.Name, f.in.Session.Client.Title, f.in.Session.Client.Name,
	} {
		if !client.Blank() {
			return client.Line()
		}
	}
	return "the agent"
}

// when says a moment as briefly as it is clear: the time today, else the date.
func (f *form) when(t time.Time) string {
	now := f.in.Now()
	t = t.In(now.Location())
	switch {
	case t.Year() == now.Year() && t.YearDay() == now.YearDay():
		return "at " + t.Format("15:04")
	case t.Year() == now.Year():
		return "on " + t.Format("2 Jan 15:04")
	}
	return "on " + t.Format("2 Jan 2006")
}
