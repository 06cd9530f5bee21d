package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// menu is what Esc opens from the ground.
func (f *form) menu() *dialog {
	if f.review != nil {
		return f.review.menu()
	}
	if f.state.readOnly {
		items := []item{
			{letter: "k", label: "Keep reading", does: closeDialog},
			{letter: "l", label: "Close", does: (*form).later},
			{letter: summaryLetter, label: summaryItem(f), does: (*form).summarise},
			{letter: "c", label: "Copy the answers", does: (*form).copyAnswers},
		}
		if len(f.in.Ask.Late) > 0 {
			items = append(items, item{letter: lateLetter, label: "Read what came too late", does: showLate})
		}
		return newDialog("Menu", append(items,
			item{letter: "t", label: "Light or dark", does: toggleTheme},
			item{letter: "T", label: "Choose a theme", does: showThemes},
			item{letter: "h", label: "Help", does: showHelp},
		)...)
	}
	items := []item{
		{letter: "k", label: "Keep answering", does: closeDialog},
		{letter: "s", label: "Submit", does: (*form).submit},
	}
	items = append(items, f.laterItems()...)
	items = append(items,
		item{letter: "r", label: "Reply without finishing", does: showDiscuss},
		item{letter: "d", label: "Decline", does: showDecline},
	)
	items = append(items, f.earlierItems()...)
	items = append(items,
		item{letter: summaryLetter, label: summaryItem(f), does: (*form).summarise, apart: true},
		item{letter: "w", label: "A note on the whole form", does: showNote},
	)
	if f.state.text() != nil {
		items = append(items,
			item{letter: "e", label: "Edit this text in your editor", does: (*form).openEditor},
			item{letter: "u", label: "Undo in this text", does: inText(keymap.UndoText)},
			item{letter: "y", label: "Redo in this text", does: inText(keymap.RedoText)},
		)
	}
	return newDialog("Menu", append(items,
		item{letter: "c", label: "Copy the answers", does: (*form).copyAnswers},
		item{letter: "z", label: "Zoom illustration or text", does: showZoom},
		item{letter: "t", label: "Light or dark", does: toggleTheme},
		item{letter: "T", label: "Choose a theme", does: showThemes},
		item{letter: "h", label: "Help", does: showHelp},
	)...)
}

// summaryLetter is the menu's key for the page with all answers.
const summaryLetter = "v"

// summaryItem is what the menu calls the page with all answers.
func summaryItem(f *form) string {
	if f.summary != nil {
		return "Back to the questions"
	}
	return "Review all answers"
}

func closeDialog(f *form) tea.Cmd {
	f.dialog = nil
	return nil
}

// InText does to the text with the focus what a key of its would do.
func inText(act keymap.Action) func(*form) tea.Cmd {
	return func(f *form) tea.Cmd {
		f.dialog = nil
		f.state.act(keymap.Press{Act: act})
		return nil
	}
}

func toggleTheme(f *form) tea.Cmd {
	f.dialog = nil
	return screen.Send(screen.SwitchTheme{})
}

func showThemes(f *form) tea.Cmd {
	f.dialog = nil
	f.wanted = screen.ChooseTheme{}
	return nil
}

func showHelp(f *form) tea.Cmd {
	f.dialog = nil
	f.sheet = &sheet{kind: sheetHelp}
	return nil
}

func showZoom(f *form) tea.Cmd {
	f.dialog = nil
	f.zoom()
	return nil
}

// showDiscuss asks for the message of "reply without finishing".
func showDiscuss(f *form) tea.Cmd {
	f.dialog = newDialog("Reply without finishing",
		item{label: "Send", does: sendDiscuss}, item{label: "Back", does: closeDialog},
	).ask("what the agent should know or clear up first", f.state.message, (*formState).keepMessage)
	says := "The agent gets your message. It may ask again."
	if along := f.goesAlong(); along != "" {
		says = "The agent gets your message and the answers so far. It may ask again; the form then starts with them."
		f.dialog.says = append(f.dialog.says, "Goes along: "+along)
	}
	f.dialog.says = append([]string{says}, f.dialog.says...)
	return nil
}

func sendDiscuss(f *form) tea.Cmd {
	message := safe.New(f.dialog.input.Text())
	if message.Blank() {
		f.dialog.at = inInput
		f.dialog.shows = "write a line first"
		return nil
	}
	return f.settle(questions.Outcome{State: questions.Discuss, Reply: f.state.answers().reply, Message: message})
}

// showDecline asks for the reason of a decline, which may stay empty.
func showDecline(f *form) tea.Cmd {
	f.dialog = newDialog("Decline",
		item{label: "Decline", does: sendDecline}, item{label: "Back", does: closeDialog},
	).ask("a reason, if you like", f.state.message, (*formState).keepMessage)
	f.dialog.says = []string{"The agent is told that you do not want to answer this, and not to ask again."}
	return nil
}

func sendDecline(f *form) tea.Cmd {
	reason := safe.New(strings.TrimSpace(f.dialog.input.Text()))
	return f.settle(questions.Outcome{State: questions.Declined, Message: reason})
}

// showNote edits the note on the whole form.
func showNote(f *form) tea.Cmd {
	f.dialog = newDialog("A note on the whole form",
		item{label: "Keep", does: closeDialog}, item{label: "Clear", does: clearNote},
	).ask("goes to the agent with your answers", f.state.note, (*formState).keepNote)
	return nil
}

func clearNote(f *form) tea.Cmd {
	f.state.keepNote("")
	return closeDialog(f)
}

// sentDialog says that the outcome is stored.
func (f *form) sentDialog() *dialog {
	d := f.endDialog("Sent")
	d.tone = toneGood
	switch f.sent.State {
	case questions.Declined:
		d.title, d.says = "Declined", []string{f.who() + " is told that you do not want to answer this."}
	case questions.Discuss:
		d.says = []string{"Your message is on its way to " + f.who() + "."}
	default:
		if said, ok := wording.Review(f.sent); ok {
			d.title, d.says = "Sent", []string{said.Verdict + ": " + f.who() + " is told."}
			break
		}
		d.says = []string{fmt.Sprintf("%s for %s.", wording.Count(f.state.answered(), "answer"), f.who())}
	}
	if !f.waits {
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
	case f.onRecord:
		first, yours = "The first answer counts; ", "yours stays on record. c copies it."
	case f.in.Serving:
		yours = "What you wrote goes on its record when you close this; c copies it."
	}
	if f.in.Serving {
		d.next = (*form).comesNext
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
		return waiting(n) + " here. The next comes up when you close this."
	}
	return "Nothing else waits here."
}

// endDialog is a dialog from which there is no way back to answering.
func (f *form) endDialog(title string) *dialog {
	d := newDialog(title,
		item{letter: "l", label: "Close", does: (*form).later},
		item{letter: "c", label: "Copy the answers", does: (*form).copyAnswers},
	)
	d.escape = (*form).later
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
func showLate(f *form) tea.Cmd {
	f.dialog = nil
	f.sheet = &sheet{title: "What came too late", text: wording.LateText(f.in.Ask, f.in.Now()), plain: true}
	return nil
}
