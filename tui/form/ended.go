package form

import (
	"fmt"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// sentDialog says that the outcome is stored.
func (f *Form) sentDialog() *prompt.Dialog {
	d := f.endDialog("Sent")
	d.Tone = screen.ToneGood
	switch f.outbox.outcome.State {
	case questions.Declined:
		_, told := f.decline()
		d.Title, d.Says = "Declined", []string{f.who() + " is told that " + told + "."}
	case questions.Discuss:
		d.Says = []string{"Your message is on its way to " + f.who() + "."}
	default:
		if said, ok := wording.Review(f.outbox.outcome); ok {
			d.Title, d.Says = "Sent", []string{said.Verdict + ": " + f.who() + " is told."}
			break
		}
		d.Says = []string{fmt.Sprintf("%s for %s.", wording.Count(f.answered(), "answer"), f.who())}
	}
	if f.agent != agentPresent {
		d.Says = append(d.Says, "No agent is waiting right now. What you sent is kept and told to the next one that asks.")
	}
	return d
}

// endedDialog says that the ask ended elsewhere: the agent or a person withdrew it, or
// it was answered on another screen.
func (f *Form) endedDialog() *prompt.Dialog {
	o := f.in.Ask.Outcome
	d := f.endDialog(wording.OutcomeTitle(o.State))
	d.Tone = screen.ToneWarn
	if f.in.Serving {
		d.Next = f.comesNext
	}
	d.Says = []string{f.endedWords(o) + " " + f.entryFate(o.State == questions.Withdrawn)}
	return d
}

// endedWords says how the ask ended, who ended it, and when.
func (f *Form) endedWords(o questions.Outcome) string {
	by := ""
	if f.in.Ask.Outdated() {
		return "planb took this form back" + f.at(o) + ": " + wording.Outdated + "."
	}
	if o.State == questions.Withdrawn {
		if by = wording.WithdrawnBy(o); by == "" {
			by = "The agent"
		}
		return by + " took this question back" + f.at(o) + "."
	}
	if o.By != "" {
		by = " by " + safe.New(o.By).Line()
	}
	return fmt.Sprintf("This form was %s elsewhere%s%s.", o.State.Standing(false).Short, by, f.at(o))
}

// entryFate says what becomes of what the person wrote in a form that ended elsewhere.
func (f *Form) entryFate(withdrawn bool) string {
	if f.outbox.onRecord {
		if withdrawn {
			return "Yours stays on record. c copies it."
		}
		return "The first answer counts; yours stays on record. c copies it."
	}
	fate := "What you wrote is printed when you close this; c copies it."
	if f.in.Serving {
		fate = "What you wrote is kept with the question when you close this; c copies it."
	}
	if f.in.Ask.GivesWay() {
		return fate + " The next form about this begins with it."
	}
	if withdrawn {
		return fate
	}
	return "The first answer counts. " + fate
}

// comesNext says what comes up when the person closes a form that ended. It always gives
// a line, so that nothing moves on the screen when another ask arrives.
func (f *Form) comesNext() string {
	if n := f.in.QueueOf - f.in.QueueAt; n > 0 {
		return wording.Waiting(n) + " here. Closing this opens the next."
	}
	return "Nothing else waits here."
}

// endDialog makes a dialog over a form that ended. Esc closes the form.
func (f *Form) endDialog(title string) *prompt.Dialog {
	d := prompt.NewDialog(title,
		prompt.Item{Letter: "l", Label: "Close", Does: f.later},
		prompt.Item{Letter: "c", Label: "Copy the answers", Does: f.copyAnswers},
	)
	d.Escape = f.later
	return d
}

// at says when an outcome came, with a space before it. It is empty for an unknown time.
func (f *Form) at(o questions.Outcome) string {
	if o.At.IsZero() {
		return ""
	}
	return " " + f.when(o.At)
}
