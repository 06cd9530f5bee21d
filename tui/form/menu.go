package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// discussLetter is the menu's key for "reply without finishing".
const discussLetter = "m"

// showMenu opens the menu. If the form has a key for the same, the item's letter is that
// key.
func (f *Form) showMenu() tea.Cmd {
	m := f.body.Menu()
	items := []prompt.Item{{Letter: "k", Label: m.Keep, Does: f.closeDialog}}
	if m.Submit != "" {
		items = append(items, prompt.Item{Letter: "s", Label: m.Submit, Does: f.submit})
	}
	switch {
	case f.in.ReadOnly:
		items = append(items, prompt.Item{Letter: "l", Label: "Close", Does: f.later})
	case f.in.Own:
		items = append(items, prompt.Item{Letter: "l", Label: "Leave", Does: f.later})
	default:
		name, _ := f.decline()
		items = append(items, f.laterItems()...)
		items = append(items,
			prompt.Item{Letter: discussLetter, Label: "Reply without finishing", Does: f.showDiscuss},
			prompt.Item{Letter: "d", Label: name, Tone: screen.ToneBad, Does: f.showDecline})
	}
	items = append(items, m.Items...)
	if f.in.ReadOnly && len(f.in.Ask.TooLate) > 0 {
		items = append(items, prompt.Item{Letter: lateLetter, Label: "Open what came too late", Does: f.showLate})
	}
	f.dialog = prompt.NewDialog("Menu", append(items,
		prompt.Item{Letter: "t", Label: "Light or dark", Does: f.toggleTheme, Apart: true},
		prompt.Item{Letter: "T", Label: "Choose a theme", Does: f.showThemes},
		prompt.Item{Letter: "?", Label: "Help", Does: f.showHelp})...)
	return nil
}

func (f *Form) toggleTheme() tea.Cmd {
	f.dialog = nil
	return screen.Send(screen.SwitchTheme{})
}

func (f *Form) showThemes() tea.Cmd {
	f.dialog = nil
	f.wanted = screen.ChooseTheme{}
	return nil
}

func (f *Form) showHelp() tea.Cmd {
	f.dialog = nil
	f.unfold(&helpPage{host: Host{f}})
	return nil
}

// showDiscuss asks for the message of "reply without finishing".
func (f *Form) showDiscuss() tea.Cmd {
	f.dialog = prompt.NewDialog("Reply without finishing",
		prompt.Item{Label: "Send", Does: f.sendDiscuss}, prompt.Item{Label: "Back", Does: f.closeDialog},
	).Ask("what the agent should know or clear up first", f.letters.message, f.keepMessage)
	f.dialog.Says = []string{"The agent gets your message. It may ask again."}
	if along := f.goesAlong(); along != "" {
		f.dialog.Says = []string{
			"The agent gets your message and the answers so far. It may ask again; the form then starts with them.",
			"With it:\n" + along,
		}
	}
	return nil
}

func (f *Form) sendDiscuss() tea.Cmd {
	message := safe.New(f.dialog.Input.Text())
	if message.Blank() {
		f.dialog.At = prompt.InInput
		f.dialog.Shows = "write a line first"
		return nil
	}
	return f.settle(questions.Outcome{State: questions.Discuss, Reply: f.reply(), Message: message})
}

// goesAlong lists the answers that a reply without finishing sends, a line each: the first
// three, and the number of the others. It is empty if there are none.
func (f *Form) goesAlong() string {
	reply := f.reply()
	var named []string
	for _, asked := range f.in.Ask.Spec.Questions {
		if v, ok := reply.Answers[asked.ID]; ok && asked.Kind != questions.Review {
			named = append(named, "• "+asked.Label.Line()+" → "+cells.Cut(briefly(wording.Answer(asked, v)).Line(), 24))
		}
	}
	if len(named) == 0 {
		return ""
	}
	const most = 3
	if more := len(named) - most; more > 0 {
		named = append(named[:most], fmt.Sprintf("• %d more", more))
	}
	return strings.Join(named, "\n")
}

// ReasonIfAny stands in an empty field for the reason of a refusal.
const ReasonIfAny = "a reason, if you like"

// decline names the decline, and says what the agent is told with it. In a review the name
// says that it is no verdict on the plan.
func (f *Form) decline() (name, told string) {
	if f.in.Ask.Spec.Plan != nil {
		return "Decline to review", "you do not want to review this"
	}
	return "Decline", "you do not want to answer this"
}

// showDecline asks for the reason of a decline, which may stay empty.
func (f *Form) showDecline() tea.Cmd {
	name, told := f.decline()
	f.dialog = prompt.NewDialog(name,
		prompt.Item{Label: name, Tone: screen.ToneBad, Does: f.sendDecline}, prompt.Item{Label: "Back", Does: f.closeDialog},
	).Ask(ReasonIfAny, f.letters.message, f.keepMessage)
	f.dialog.Says = []string{"The agent is told that " + told + ", and not to ask again."}
	if ends := wording.OnDecline(f.in.Ask); ends != "" {
		f.dialog.Says = append(f.dialog.Says, ends)
	}
	return nil
}

func (f *Form) sendDecline() tea.Cmd {
	reason := safe.New(strings.TrimSpace(f.dialog.Input.Text()))
	return f.settle(questions.Outcome{State: questions.Declined, Message: reason})
}

// showNote edits the note on the whole form.
func (f *Form) showNote() tea.Cmd {
	f.dialog = prompt.NewDialog("A note on the whole form",
		prompt.Item{Label: "Keep", Does: f.closeDialog}, prompt.Item{Label: "Clear", Does: f.clearNote},
	).Ask("goes to the agent with your answers", f.letters.note, f.keepNote)
	return nil
}

func (f *Form) clearNote() tea.Cmd {
	f.keepNote("")
	return f.closeDialog()
}

// lateLetter is the menu's key for showLate.
const lateLetter = "o"

// showLate shows the replies that came too late, on the whole screen.
func (f *Form) showLate() tea.Cmd {
	f.dialog = nil
	f.unfold(&textPage{Host{f}, "What came too late", wording.TooLateText(f.in.Ask, f.in.Now())})
	return nil
}

// keepNote and keepMessage store the text of a dialog with each change of it.
func (f *Form) keepNote(text string) {
	f.letters.note = safe.New(text)
	f.letters.changes++
}

func (f *Form) keepMessage(text string) {
	f.letters.message = safe.New(text)
	f.letters.changes++
}

func (f *Form) answered() int {
	return len(f.in.Ask.Spec.Questions) - len(f.in.Ask.Spec.Unanswered(f.reply()))
}
