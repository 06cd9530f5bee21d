package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Decisions is what a person decides about tasks.
type Decisions interface {
	Accept(ctx context.Context, by kept.Caller, task string, comment safe.Text) (kept.Completed, error)
	SendBack(ctx context.Context, by kept.Caller, task string, comment safe.Text) (kept.Completed, error)
	Finish(ctx context.Context, by kept.Caller, task string, summary safe.Text) (kept.Completed, error)
	Cancel(ctx context.Context, by kept.Caller, task string) (kept.Completed, error)
	Release(ctx context.Context, by kept.Caller, task string) (kept.Completed, error)
	SetPriority(ctx context.Context, by kept.Caller, task string, priority int) (before int, err error)
	Edit(ctx context.Context, by kept.Caller, task string, seed rules.Seed) (before rules.Seed, err error)
}

// decider asks what the person decides about tasks, and writes it. The board and the page
// of a task have one each.
type decider struct {
	deps   Deps
	keys   []keymap.Binding // of the screen
	plan   *plan            // as the screen shows it
	prompt *decision        // nil while nothing is asked
	status string
	undos  []undo // the last at the end
	writes screen.Writes
	// refused has what the person wrote about tasks that was not taken over, by number.
	refused map[int]refusedEdit
	back    atomic.Pointer[editorLeft] // returned by the editor, not yet handled
}

// decision is a question about tasks. It stays about those, whatever changes meanwhile.
type decision struct {
	prompt.Prompt
	act   keymap.Action
	tasks []int
}

// undo takes back one decision.
type undo struct {
	what string // "the priority of “API”"
	do   func(context.Context) error
}

// decided is a message about what became of a decision.
type decided struct {
	by   *decider
	said string
	err  error
	undo *undo
	edit *edited // what was edited, if that was the decision
	// again is what is asked once more after a failure: it has the person's text.
	again *decision
}

// say tells the person why nothing is asked.
func (d *decider) say(words string) tea.Cmd {
	d.status = words
	return nil
}

// ask opens the question of an action about tasks, if the action means anything for them.
func (d *decider) ask(act keymap.Action, tasks []int) tea.Cmd {
	if d.plan == nil || len(tasks) == 0 {
		return nil
	}
	if d.plan.Status != rules.PlanActive {
		if d.plan.Status == rules.PlanProposed {
			return d.say("The plan is not approved yet." + keymap.Tells(d.keys, " ", keymap.Approve, " reviews it."))
		}
		return d.say("The plan has ended.")
	}
	switch act {
	case keymap.Space:
		return d.askVerdict(tasks)
	case keymap.Release:
		held := only(tasks, func(n int) bool { return d.plan.view.State(n).Held() })
		if len(held) == 0 {
			return d.say("Nobody works on " + it(tasks) + ".")
		}
		d.open(act, held, prompt.Prompt{Keys: keymap.Releasing(it(held)),
			Question: "Release " + d.plan.named(held) + "?",
			Tells:    d.plan.ifReleased(held)})
	case keymap.Priority:
		open := only(tasks, func(n int) bool { return !d.plan.view.State(n).Final() })
		if len(open) == 0 {
			return d.say("It has ended.")
		}
		d.open(act, open, prompt.Prompt{Keys: keymap.Prioritizing(d.plan.samePriority(open)),
			Question: "How urgent is " + d.plan.named(open) + "?",
			Tells:    "Agents take the most urgent first."})
	case keymap.CancelTask:
		open := only(tasks, func(n int) bool { return !d.plan.view.State(n).Final() })
		if len(open) == 0 {
			return d.say("It has ended.")
		}
		d.open(act, open, prompt.Prompt{Keys: keymap.Cancelling(it(open)), Danger: true,
			Question: "Cancel " + d.plan.named(open) + "?",
			Tells:    d.plan.ifCancelled(open)})
	}
	return nil
}

// samePriority is the priority that tasks have; -1 if it is not the same one.
func (p *plan) samePriority(tasks []int) int {
	same := p.Marks.Priority(tasks[0])
	for _, n := range tasks {
		if p.Marks.Priority(n) != same {
			return -1
		}
	}
	return same
}

// askVerdict asks about what waits for the person: whether a report is accepted, what an agent is
// answered that has reported nothing, or whether they have done what only they can do.
func (d *decider) askVerdict(tasks []int) tea.Cmd {
	reported := only(tasks, func(n int) bool { return d.plan.view.State(n) == rules.NeedsReview && !d.plan.unanswered(n) })
	stuck := only(tasks, d.plan.unanswered)
	own := only(tasks, func(n int) bool { return d.plan.view.State(n) == rules.Ready && d.plan.Graph.Human(n) })
	switch {
	case len(reported) > 0:
		d.open(keymap.Space, reported, prompt.Prompt{Keys: keymap.Accepting(it(reported)),
			Question: "Accept " + d.plan.named(reported) + "?",
			Tells:    d.plan.makesReady(reported)})
	case len(stuck) > 0: // one answer is no answer to several
		d.open(keymap.Space, stuck[:1], prompt.Prompt{Keys: keymap.Answering(),
			Question: "Answer " + d.plan.named(stuck[:1]) + "?",
			Tells:    d.plan.said(stuck[0]) + ". " + notReported})
	case len(own) > 0:
		d.open(keymap.Space, own, prompt.Prompt{Keys: keymap.Finishing(),
			Question: "Have you done " + d.plan.named(own) + "?",
			Tells:    d.plan.makesReady(own)})
	case len(only(tasks, d.plan.waits)) > 0:
		return d.say("It waits for your approval." + keymap.Tells(d.keys, " ", keymap.Approve, " reviews it."))
	default:
		return d.say("Only what waits for you can be accepted or sent back.")
	}
	return nil
}

func (d *decider) open(act keymap.Action, tasks []int, p prompt.Prompt) {
	p.Keys = keymap.Leaving(d.keys, p.Keys)
	d.prompt = &decision{p, act, tasks}
}

func only(tasks []int, fits func(int) bool) []int {
	return slices.DeleteFunc(slices.Clone(tasks), func(n int) bool { return !fits(n) })
}

// typing are the keys while something is asked; nil while nothing is.
func (d *decider) typing() []keymap.Binding {
	if d.prompt == nil {
		return nil
	}
	return d.prompt.Keys
}

// press handles a key while something is asked. A key that is no answer does nothing.
func (d *decider) press(msg tea.KeyPressMsg) tea.Cmd { return d.answer(d.prompt.Press(msg)) }

// click handles a click while something is asked.
func (d *decider) click(page screen.Page, mouse tea.Mouse) tea.Cmd {
	return d.answer(d.prompt.Click(page, mouse, d.status))
}

// answer does what the person has answered.
func (d *decider) answer(act keymap.Action) tea.Cmd {
	p := d.prompt
	switch act {
	case keymap.Escape:
		d.prompt = nil
	case keymap.Yes:
		d.prompt = nil
		return d.settle(p, safe.Text{}, true)
	case keymap.Unreported:
		d.open(keymap.Space, p.tasks, prompt.Prompt{Keys: keymap.AcceptingUnreported(), Danger: true,
			Question: "Is " + d.plan.named(p.tasks) + " done?",
			Tells:    notReported + " " + d.plan.makesReady(p.tasks) + " This cannot be undone."})
	case keymap.SendBack:
		if d.plan.unanswered(p.tasks[0]) {
			p.Write("Answer "+d.plan.named(p.tasks), d.plan.said(p.tasks[0])+". The next agent that claims it reads your answer.", keymap.Replying())
			return nil
		}
		p.Write("Send "+d.plan.named(p.tasks)+" back?", "What is missing? The next agent that claims "+it(p.tasks)+" reads this.", keymap.Commenting(it(p.tasks)))
	case keymap.Digit:
		d.prompt = nil
		return d.prioritize(p.tasks, int(p.Key()[0]-'0'))
	case keymap.Submit:
		text := p.Written()
		switch {
		case text.Blank():
			if d.plan.unanswered(p.tasks[0]) {
				return d.say("Write your answer first.")
			}
			return d.say("Say what is missing first.")
		case len(text.Raw()) > rules.MaxNoteBytes:
			return d.say(fmt.Sprintf("That has %s; at most %s are kept.", wording.Bytes(len(text.Raw())), wording.Bytes(rules.MaxNoteBytes)))
		}
		d.prompt = nil
		return d.settle(p, text, false)
	}
	return nil
}

// over lays what is asked over a drawn screen.
func (d *decider) over(page screen.Page, frame screen.Frame) screen.Frame {
	if d.prompt == nil {
		return frame
	}
	return d.prompt.Over(page, frame, d.status)
}

// paste inserts a text into the comment that is written.
func (d *decider) paste(text string) {
	if d.prompt != nil {
		d.prompt.Paste(text)
	}
}

// settle writes what was decided about each of the tasks, until one fails.
func (d *decider) settle(p *decision, comment safe.Text, yes bool) tea.Cmd {
	store, by, done, plan := d.deps.Decide, d.deps.caller(), "", d.plan
	var do func(ctx context.Context, task string) (kept.Completed, error)
	switch {
	case p.act == keymap.Space && !yes:
		if done = "Sent back"; plan.unanswered(p.tasks[0]) {
			done = "Answered and sent back"
		}
		do = func(ctx context.Context, task string) (kept.Completed, error) {
			return store.SendBack(ctx, by, task, comment)
		}
	case p.act == keymap.Space && plan.view.State(p.tasks[0]) == rules.NeedsReview:
		if done = "Accepted"; plan.unanswered(p.tasks[0]) {
			done = "Done without a report"
		}
		do = func(ctx context.Context, task string) (kept.Completed, error) {
			return store.Accept(ctx, by, task, comment)
		}
	case p.act == keymap.Space:
		done = "Done"
		do = func(ctx context.Context, task string) (kept.Completed, error) {
			return store.Finish(ctx, by, task, comment)
		}
	case p.act == keymap.Release:
		done = "Released"
		do = func(ctx context.Context, task string) (kept.Completed, error) { return store.Release(ctx, by, task) }
	case p.act == keymap.CancelTask:
		done = "Cancelled"
		do = func(ctx context.Context, task string) (kept.Completed, error) { return store.Cancel(ctx, by, task) }
	}
	named := d.plan.named(p.tasks)
	return d.write(func(ctx context.Context) decided {
		ready, yours := 0, 0
		for i, n := range p.tasks {
			completed, err := do(ctx, plan.TaskID(n))
			if err != nil {
				failed := decided{by: d, err: partly(err, i, len(p.tasks))}
				if !comment.Blank() {
					failed.again = &decision{p.Prompt, p.act, p.tasks[i:]}
				}
				if i > 0 && failed.again != nil {
					failed.again.Question = "Send " + plan.named(p.tasks[i:]) + " back?"
				}
				return failed
			}
			ready += len(completed.Readied)
			yours += len(completed.ForUser)
		}
		said := done + ": " + named
		if ready > 0 {
			said += fmt.Sprintf(" · %d ready by it", ready)
		}
		if yours > 0 {
			said += fmt.Sprintf(" · %d for you to do", yours)
		}
		return decided{by: d, said: said}
	})
}

// partly says of how many tasks a decision was written before it failed.
func partly(err error, done, of int) error {
	if of == 1 {
		return err
	}
	return fmt.Errorf("%d of %d were done: %w", done, of, err)
}

// prioritize gives tasks a priority.
func (d *decider) prioritize(tasks []int, priority int) tea.Cmd {
	store, by, plan, named := d.deps.Decide, d.deps.caller(), d.plan, d.plan.named(tasks)
	return d.write(func(ctx context.Context) decided {
		before := make([]int, len(tasks))
		for i, n := range tasks {
			var err error
			if before[i], err = store.SetPriority(ctx, by, plan.TaskID(n), priority); err != nil {
				return decided{by: d, err: partly(err, i, len(tasks))}
			}
		}
		back := &undo{"the priority of " + named, func(ctx context.Context) (err error) {
			for i, n := range tasks {
				_, failed := store.SetPriority(ctx, by, plan.TaskID(n), before[i])
				err = errors.Join(err, failed)
			}
			return err
		}}
		return decided{by: d, said: fmt.Sprintf("P%d: %s", priority, named), undo: back}
	})
}

// takeBack undoes the last decision that can be undone.
func (d *decider) takeBack() tea.Cmd {
	last := len(d.undos) - 1
	if last < 0 {
		return d.say("There is nothing to undo: only priorities and edits can be undone.")
	}
	back := d.undos[last]
	d.undos = d.undos[:last]
	return d.write(func(ctx context.Context) decided {
		return decided{by: d, said: "Undone: " + back.what, err: back.do(ctx)}
	})
}

// approve opens the review in which the person approves the plan, or what agents added to
// it. The review is the one that agents open, too.
func (d *decider) approve(over screen.Screen) tea.Cmd {
	switch {
	case d.plan == nil:
		return nil
	case d.plan.Status.Final():
		return d.say("The plan has ended.")
	}
	review, id := d.deps.Review, d.plan.ID
	return screen.Within(func(ctx context.Context) tea.Msg {
		opened, err := review(ctx, id)
		return reviewMade{d, over, opened, err}
	})
}

// visit brings the person to the window of the agent that works on a task.
func (d *decider) visit(n int) tea.Cmd {
	if d.plan == nil || n == 0 {
		return nil
	}
	claim, held := d.plan.Claims[n]
	visit := d.deps.Visit
	switch {
	case !held || !d.plan.view.State(n).Held():
		return d.say("Nobody works on it.")
	case visit == nil || claim.Place == "":
		return d.say("planb cannot go there: the agent, or this screen, is not in tmux.")
	}
	who := wording.List(d.plan.workers([]int{n}))
	return screen.Within(func(ctx context.Context) tea.Msg {
		return decided{by: d, said: "There is " + who + ".", err: visit(ctx, claim.Place)}
	})
}

// reviewMade brings the ask of a review.
type reviewMade struct {
	by   *decider
	over screen.Screen
	ask  store.Ask
	err  error
}

func (m decided) decider() *decider     { return m.by }
func (m reviewMade) decider() *decider  { return m.by }
func (m editorReady) decider() *decider { return m.by }
func (m editorLeft) decider() *decider  { return m.by }

// update handles the results of the decider's commands.
func (d *decider) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case decided:
		d.heard(msg)
	case reviewMade:
		if msg.err != nil {
			return d.say("Nothing to approve: " + wording.Sentence(msg.err))
		}
		form := d.deps.Past.OpenForm(retro.Form{Ask: msg.ask})
		return screen.Send(screen.Push{Screen: form, Over: msg.over})
	case editorReady:
		return d.runEditor(msg)
	case editorLeft:
		return d.edited(msg)
	}
	return nil
}

// heard says what became of a decision.
func (d *decider) heard(msg decided) {
	d.writes.Told()
	switch {
	case msg.err != nil && msg.edit != nil:
		d.refuse(msg.edit.n, msg.edit.text, rules.Plainly(msg.err))
	case msg.err != nil:
		d.status = undone(msg.err)
		if d.prompt == nil {
			d.prompt = msg.again
		}
	default:
		d.status = msg.said
	}
	if msg.err == nil && msg.edit != nil {
		delete(d.refused, msg.edit.n)
	}
	if msg.undo != nil {
		d.undos = append(d.undos, *msg.undo)
	}
}
