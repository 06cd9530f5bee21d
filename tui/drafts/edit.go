package drafts

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/drafts/shape"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// refusedEdit is a text of the person that was not taken over, and why. The next edit begins
// with it.
type refusedEdit struct{ text, fault string }

// Messages of an edit.
type (
	editorReady struct {
		screen        *Screen
		step          rules.Step
		sha           string // of the output that is edited
		head          string // what planb wrote above the fields
		path, written string
		err           error
	}
	editorLeft struct {
		screen *Screen
		step   rules.Step
		sha    string
		head   string // what planb wrote above the fields
		text   string
		err    error
	}
	editWritten struct {
		screen *Screen
		step   rules.Step
		text   string
		said   string
		err    error
	}
)

func (m editorReady) owner() *Screen { return m.screen }
func (m editorLeft) owner() *Screen  { return m.screen }
func (m editWritten) owner() *Screen { return m.screen }

// edit opens the fields of a step in the person's editor.
func (s *Screen) edit(step rules.Step) tea.Cmd {
	p := s.draft
	record := p.Draft.Records[step.ID]
	switch {
	case step.Author == rules.Code:
		return s.say("planb makes it from the steps before; edit one of those.")
	case record.Output == nil:
		return s.say("It is not written yet.")
	case external.Editor(s.deps.Environ) == "":
		return s.say("No editor: set $VISUAL or $EDITOR.")
	}
	text := string(step.Shape.YAML(record.Output, caps(p.Detail)))
	about := "“" + step.Name + "”. What you save stays: nobody writes over it. What was written from it is written again."
	if refused, again := s.refused[step.ID]; again {
		text, about = refused.text, about+"\nThis is what you wrote before. It was not taken over:\n"+refused.fault
	}
	head := commented(about)
	return func() tea.Msg {
		path, err := external.Write(p.ID, head+text)
		return editorReady{s, step, record.SHA256, head, path, head + text, err}
	}
}

// commented makes a comment of YAML.
func commented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(safe.New(text).Block()) {
		out.WriteString("# " + strings.TrimRight(line, "\n") + "\n")
	}
	return out.String() + "\n"
}

// caps are the limits of lists in a detail.
func caps(d rules.Detail) shape.Caps {
	if d == rules.Full {
		return shape.Full
	}
	return shape.Brief
}

// runEditor gives the terminal to the editor until it ends.
func (s *Screen) runEditor(msg editorReady) tea.Cmd {
	if msg.err != nil {
		return s.say("The editor could not be opened: " + wording.Sentence(msg.err))
	}
	visit := external.Visit{Environ: s.deps.Environ, Path: msg.path, Written: msg.written, Began: time.Now()}
	return external.Lend(external.EditorProcess(s.deps.Environ, msg.path), func(err error) tea.Msg {
		return msg.left(visit.Left(err))
	})
}

// left makes the message that brings a text back, or the error of the editor.
func (m editorReady) left(text string, err error) editorLeft {
	left := editorLeft{m.screen, m.step, m.sha, m.head, text, err}
	if err == nil && text != m.written {
		m.screen.back.Store(&left) // in case the program ends before it handles the message
	}
	return left
}

// edited writes what the person saved. A text that cannot be read is kept for the next
// edit.
func (s *Screen) edited(msg editorLeft) tea.Cmd {
	s.back.Store(nil)
	if msg.err != nil {
		return s.say(wording.EditRefused(msg.err))
	}
	d, p, step, text := s.deps, s.draft, msg.step, strings.TrimPrefix(msg.text, msg.head)
	output, err := readEdit(p.Draft, step, text)
	if err != nil {
		return s.refuse(step, text, err)
	}
	if string(step.Shape.JSON(output)) == string(step.Shape.JSON(p.Draft.Output(step.ID))) {
		delete(s.refused, step.ID)
		return s.say("Nothing was changed.")
	}
	return s.writes.Begin(func(ctx context.Context) (tea.Msg, error) {
		_, dirty, err := d.Store.Edit(ctx, d.caller(), runs.Edit{Plan: p.ID, Step: step.ID, SHA256: msg.sha, Output: output})
		said := "Edited: “" + step.Name + "”."
		if len(dirty) > 0 {
			said += " To be written again: " + wording.Count(len(dirty), "section") + "."
		}
		return editWritten{s, step, text, said, err}, err
	})
}

// wrote handles what became of an edit.
func (s *Screen) wrote(msg editWritten) tea.Cmd {
	s.writes.Told()
	if msg.err != nil {
		return s.refuse(msg.step, msg.text, errors.New(wording.Sentence(runs.Plainly(msg.err))))
	}
	delete(s.refused, msg.step.ID)
	return s.say(msg.said)
}

// refuse keeps a text that was not taken over for the next edit.
func (s *Screen) refuse(step rules.Step, text string, err error) tea.Cmd {
	s.refused[step.ID] = refusedEdit{text, err.Error()}
	return s.say("Not changed; your text is kept for the next edit: " + firstLine(err))
}

// parting keeps what was not taken over in files, and says where.
func (s *Screen) parting() (lines []string) {
	if s.draft == nil {
		return nil
	}
	if left := s.back.Load(); left != nil {
		s.refused[left.step.ID] = refusedEdit{text: strings.TrimPrefix(left.text, left.head)}
	}
	for _, step := range s.draft.Draft.Steps() {
		if refused, some := s.refused[step.ID]; some {
			lines = append(lines, external.Parting(s.id, "“"+step.Name+"”", refused.text)...)
		}
	}
	return lines
}

// readEdit parses the person's text of a step, and checks it like an agent's answer.
// Unlike an agent, the person may set a day that is too late.
func readEdit(d rules.Draft, step rules.Step, text string) (shape.Object, error) {
	o, err := step.Shape.ReadYAML([]byte(text), caps(d.Detail))
	if err != nil || step.Author == rules.Person {
		return o, err
	}
	return d.Read(step, step.Shape.JSON(o), rules.MaxLateTries)
}

// firstLine is the first of the mistakes in an error.
func firstLine(err error) string {
	line, rest, _ := strings.Cut(err.Error(), "\n")
	if rest != "" {
		line += " (and " + wording.Count(strings.Count(rest, "\n")+1, "more mistake") + ")"
	}
	return safe.New(line).Line()
}
