package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// showMenu opens what Esc opens from the ground.
func (f *form) showMenu() tea.Cmd {
	m := f.body.menu()
	items := []item{{letter: "k", label: m.keep, does: f.closeDialog}}
	if m.submit != "" {
		items = append(items, item{letter: "s", label: m.submit, does: f.submit})
	}
	if f.in.ReadOnly {
		items = append(items, item{letter: "l", label: "Close", does: f.later})
	} else {
		items = append(items, f.laterItems()...)
		items = append(items,
			item{letter: "r", label: "Reply without finishing", does: f.showDiscuss},
			item{letter: "d", label: "Decline", does: f.showDecline})
	}
	items = append(items, m.items...)
	if f.in.ReadOnly && len(f.in.Ask.Late) > 0 {
		items = append(items, item{letter: lateLetter, label: "Read what came too late", does: f.showLate})
	}
	f.dialog = newDialog("Menu", append(items,
		item{letter: "t", label: "Light or dark", does: f.toggleTheme},
		item{letter: "T", label: "Choose a theme", does: f.showThemes},
		item{letter: "h", label: "Help", does: f.showHelp})...)
	return nil
}

func (f *form) toggleTheme() tea.Cmd {
	f.dialog = nil
	return screen.Send(screen.SwitchTheme{})
}

func (f *form) showThemes() tea.Cmd {
	f.dialog = nil
	f.wanted = screen.ChooseTheme{}
	return nil
}

func (f *form) showHelp() tea.Cmd {
	f.dialog = nil
	f.unfold(&helpPage{host{f}})
	return nil
}

// showDiscuss asks for the message of "reply without finishing".
func (f *form) showDiscuss() tea.Cmd {
	f.dialog = newDialog("Reply without finishing",
		item{label: "Send", does: f.sendDiscuss}, item{label: "Back", does: f.closeDialog},
	).ask("what the agent should know or clear up first", f.letters.message, f.keepMessage)
	says := "The agent gets your message. It may ask again."
	if along := f.goesAlong(); along != "" {
		says = "The agent gets your message and the answers so far. It may ask again; the form then starts with them."
		f.dialog.says = append(f.dialog.says, "Goes along: "+along)
	}
	f.dialog.says = append([]string{says}, f.dialog.says...)
	return nil
}

func (f *form) sendDiscuss() tea.Cmd {
	message := safe.New(f.dialog.input.Text())
	if message.Blank() {
		f.dialog.at = inInput
		f.dialog.shows = "write a line first"
		return nil
	}
	return f.settle(questions.Outcome{State: questions.Discuss, Reply: f.reply(), Message: message})
}

// goesAlong says what a reply without finishing takes with it.
func (f *form) goesAlong() string {
	reply := f.reply()
	var named []string
	for _, asked := range f.in.Ask.Spec.Questions {
		if v, ok := reply.Answers[asked.ID]; ok && asked.Kind != questions.Review {
			named = append(named, asked.Label.Line()+" "+cells.Cut(briefly(wording.Answer(asked, v)).Line(), 24))
		}
	}
	if len(named) == 0 {
		return ""
	}
	const most = 3
	text := strings.Join(named[:min(most, len(named))], " · ")
	if more := len(named) - most; more > 0 {
		text += fmt.Sprintf(" · %d more", more)
	}
	return text
}

// showDecline asks for the reason of a decline, which may stay empty.
func (f *form) showDecline() tea.Cmd {
	f.dialog = newDialog("Decline",
		item{label: "Decline", does: f.sendDecline}, item{label: "Back", does: f.closeDialog},
	).ask("a reason, if you like", f.letters.message, f.keepMessage)
	f.dialog.says = []string{"The agent is told that you do not want to answer this, and not to ask again."}
	return nil
}

func (f *form) sendDecline() tea.Cmd {
	reason := safe.New(strings.TrimSpace(f.dialog.input.Text()))
	return f.settle(questions.Outcome{State: questions.Declined, Message: reason})
}

// showNote edits the note on the whole form.
func (f *form) showNote() tea.Cmd {
	f.dialog = newDialog("A note on the whole form",
		item{label: "Keep", does: f.closeDialog}, item{label: "Clear", does: f.clearNote},
	).ask("goes to the agent with your answers", f.letters.note, f.keepNote)
	return nil
}

func (f *form) clearNote() tea.Cmd {
	f.keepNote("")
	return f.closeDialog()
}

// sentDialog says that the outcome is stored.
func (f *form) sentDialog() *dialog {
	d := f.endDialog("Sent")
	d.tone = toneGood
	switch f.outbox.outcome.State {
	case questions.Declined:
		d.title, d.says = "Declined", []string{f.who() + " is told that you do not want to answer this."}
	case questions.Discuss:
		d.says = []string{"Your message is on its way to " + f.who() + "."}
	default:
		if said, ok := wording.Review(f.outbox.outcome); ok {
			d.title, d.says = "Sent", []string{said.Verdict + ": " + f.who() + " is told."}
			break
		}
		d.says = []string{fmt.Sprintf("%s for %s.", wording.Count(f.answered(), "answer"), f.who())}
	}
	if f.agent != agentPresent {
		d.says = append(d.says, "No agent is waiting right now. What you sent is kept and told to the next one that asks.")
	}
	return d
}

// takenDialog says that the ask was settled elsewhere.
func (f *form) takenDialog() *dialog {
	o := f.in.Ask.Outcome
	d := f.endDialog(wording.OutcomeTitle(o.State))
	d.tone = toneWarn
	who := ""
	if o.By != "" {
		who = " by " + safe.New(o.By).Line()
	}
	first, yours := "The first answer counts. ", "What you wrote is printed when you close this; c copies it."
	switch {
	case f.outbox.onRecord:
		first, yours = "The first answer counts; ", "yours stays on record. c copies it."
	case f.in.Serving:
		yours = "What you wrote goes on its record when you close this; c copies it."
	}
	if f.in.Serving {
		d.next = f.comesNext
	}
	switch o.State {
	case questions.Withdrawn:
		taker := "The agent"
		if person := wording.WithdrawnBy(o); person != "" {
			taker = person
		}
		d.says = []string{taker + " took this question back" + f.at(o) + ". " + wording.Capital(yours)}
	default:
		d.says = []string{fmt.Sprintf("This form was %s elsewhere%s%s. %s%s", o.State.Standing(false).Short, who, f.at(o), first, yours)}
	}
	return d
}

// comesNext says what closing a form that ended leads to. It is a line in any case, so
// that nothing moves when something begins to wait.
func (f *form) comesNext() string {
	if n := f.in.QueueOf - f.in.QueueAt; n > 0 {
		return wording.Waiting(n) + " here. The next comes up when you close this."
	}
	return "Nothing else waits here."
}

// endDialog is a dialog from which there is no way back to answering.
func (f *form) endDialog(title string) *dialog {
	d := newDialog(title,
		item{letter: "l", label: "Close", does: f.later},
		item{letter: "c", label: "Copy the answers", does: f.copyAnswers},
	)
	d.escape = f.later
	return d
}

// at says when an outcome came about, with a space before it.
func (f *form) at(o questions.Outcome) string {
	if o.At.IsZero() {
		return ""
	}
	return " " + f.when(o.At)
}

// lateLetter is the menu's key for showLate.
const lateLetter = "r"

// showLate shows what came too late in full.
func (f *form) showLate() tea.Cmd {
	f.dialog = nil
	f.unfold(&textPage{host{f}, "What came too late", wording.LateText(f.in.Ask, f.in.Now())})
	return nil
}

// keepNote and keepMessage take what is written while it is written.
func (f *form) keepNote(text string) {
	f.letters.note = safe.New(text)
	f.letters.changes++
}

func (f *form) keepMessage(text string) {
	f.letters.message = safe.New(text)
	f.letters.changes++
}

// answered counts the questions that have an answer.
func (f *form) answered() int {
	return len(f.in.Ask.Spec.Questions) - len(f.in.Ask.Spec.Unanswered(f.reply()))
}
