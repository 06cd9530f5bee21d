package tasks

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// refusedEdit is a text of the person that was not taken over, and why. The next edit begins
// with it.
type refusedEdit struct{ text, fault string }

// edited is what the person saved of a task.
type edited struct {
	n    int
	text string
}

// Messages of an edit to its decider.
type (
	editorReady struct {
		by            *decider
		n             int
		file          external.File
		path, written string
		err           error
	}
	editorLeft struct {
		by   *decider
		n    int
		text string
		err  error
	}
)

// edit opens a task in the person's editor, in the format in which they review it. Saving
// approves it.
func (d *decider) edit(n int) tea.Cmd {
	switch {
	case d.plan == nil || n == 0:
		return nil
	case d.plan.Status != rules.PlanActive:
		return d.say("Only tasks of an active plan are edited here; a proposed one is edited in its review.")
	case d.plan.view.State(n).Final():
		return d.say("It has ended.")
	case external.Editor(d.deps.Environ) == "":
		return d.say("No editor: set $VISUAL or $EDITOR.")
	}
	refused, again := d.refused[n]
	text := refused.text
	if !again {
		seed := d.plan.texts[n-1].Seed
		text = rules.Render(rules.Proposal{Title: d.plan.Graph.Title(), Items: []rules.Item{{Seed: seed}}}).Raw()
	}
	about := []safe.Text{safe.New("One task of the plan. By saving you approve it; its {#key} stays.")}
	if again {
		about = append(about, safe.New("This is what you wrote before. It was not taken over: "+refused.fault))
	}
	file, id := external.NewFile(text, about...), d.plan.TaskID(n)
	return func() tea.Msg {
		content := file.Content()
		path, err := external.Write(id, content)
		return editorReady{d, n, file, path, content, err}
	}
}

// runEditor gives the terminal to the editor until it ends.
func (d *decider) runEditor(msg editorReady) tea.Cmd {
	if msg.err != nil {
		return d.say("The editor could not be opened: " + wording.Sentence(msg.err))
	}
	visit := external.Visit{Environ: d.deps.Environ, Path: msg.path, Written: msg.written, Began: time.Now()}
	return external.Lend(external.EditorProcess(d.deps.Environ, msg.path), func(err error) tea.Msg {
		return msg.left(visit.Left(err))
	})
}

// left makes the message that brings a text back, or the error of the editor.
func (m editorReady) left(text string, err error) editorLeft {
	left := editorLeft{m.by, m.n, m.file.TakeBack(text), err}
	if err == nil && text != m.written {
		m.by.back.Store(&left) // in case the program ends before it handles the message
	}
	return left
}

// edited writes what the person saved. A text that cannot be read is kept for the next
// edit.
func (d *decider) edited(msg editorLeft) tea.Cmd {
	d.back.Store(nil)
	if msg.err != nil {
		return d.say(wording.EditRefused(msg.err))
	}
	n := msg.n
	seed, err := d.plan.readSeed(n, msg.text)
	if err != nil {
		d.refuse(n, msg.text, err)
		return nil
	}
	store, by, id, named := d.deps.Decide, d.deps.caller(), d.plan.TaskID(n), d.plan.named([]int{n})
	return d.write(func(ctx context.Context) decided {
		before, err := store.Edit(ctx, by, id, seed)
		if err != nil {
			return decided{by: d, err: err, edit: &edited{n, msg.text}}
		}
		back := &undo{"the edit of " + named, func(ctx context.Context) error {
			_, err := store.Edit(ctx, by, id, before)
			return err
		}}
		return decided{by: d, said: "Edited: " + named, undo: back, edit: &edited{n, msg.text}}
	})
}

// refuse keeps a text that was not taken over for the next edit.
func (d *decider) refuse(n int, text string, err error) {
	if d.refused == nil {
		d.refused = map[int]refusedEdit{}
	}
	d.refused[n] = refusedEdit{text, wording.Sentence(err)}
	d.status = "Not changed; your text is kept for the next edit: " + wording.Sentence(err)
}

// readSeed reads one task as the person wrote it. It keeps the edges that agents added.
func (p *plan) readSeed(n int, text string) (rules.Seed, error) {
	document, err := rules.ParseMarkdown(safe.New(text), p.Graph)
	if err != nil {
		return rules.Seed{}, err
	}
	if len(document.Items) != 1 {
		return rules.Seed{}, fmt.Errorf("the text has %s; one is edited at a time, so one heading with ## is allowed", wording.Count(len(document.Items), "task"))
	}
	seed, before := document.Items[0].Seed, p.texts[n-1]
	seed.Key, seed.Edges = before.Key, seed.Edges.With(before.Edges)
	return seed, nil
}
