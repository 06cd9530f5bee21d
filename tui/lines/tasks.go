package lines

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tasks"
	"planb/tui/wording"
)

// TasksOptions says which plan of tasks is read out, and how.
type TasksOptions struct {
	Desk     tasks.Deps
	Store    ask.Store // for the review that approves a plan
	Terminal screen.Terminal
	Plan     string           // the id of a plan or of a task; empty for the list of all plans
	By       string           // names the person, user@host
	Now      func() time.Time // nil means time.Now
	Command  string           // how this program is called; empty means "planb"
}

// taskTalk reads out plans of tasks, and lets the person decide about them.
type taskTalk struct {
	TasksOptions
	*talk
	plan tasks.Reading
}

// Tasks reads out a plan of tasks and has the person decide about it, until they leave, ctx
// ends or the input does.
func Tasks(ctx context.Context, o TasksOptions) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Command = cmp.Or(o.Command, "planb")
	t := &taskTalk{TasksOptions: o, talk: newTalk(ctx, o.Terminal)}
	if o.Plan == "" {
		return unlessLeft(t.choose())
	}
	return unlessLeft(t.follow(o.Plan))
}

// choose lists all plans, and reads out the one that the person names.
func (t *taskTalk) choose() error {
	return choose(t.talk, aList[tasks.Listed]{
		name:   "Plans of tasks",
		empty:  fmt.Sprintf("There are no plans of tasks yet. Agents propose them; %s tasks on gives them the tools.", safe.New(t.Command).Line()),
		number: "A number reads that plan out",
		read:   t.Desk.Plans,
	}, t.follow)
}

// follow reads a plan out and obeys what is typed.
func (t *taskTalk) follow(id string) error {
	if err := t.read(id); err != nil {
		return t.say("%s", wording.Sentence(err))
	}
	if _, n, ok := rules.SplitID(id); ok && n != 0 {
		if err := t.about(n); err != nil {
			return err
		}
	} else if err := t.sayBoard(false); err != nil {
		return err
	}
	words := t.words()
	return t.obeyAll("A number tells of that task, help of the rest:", "Tasks:", func(typed string) error { return t.obey(typed, words) })
}

func (t *taskTalk) read(id string) (err error) {
	ctx, cancel := context.WithTimeout(t.ctx, screen.StorePatience)
	defer cancel()
	t.plan, err = t.Desk.Read(ctx, id)
	return err
}

// obey does what was typed, to the plan as it is now.
func (t *taskTalk) obey(typed string, words wordList[func(string) error]) error {
	if err := t.read(t.plan.ID()); err != nil {
		return t.say("%s", wording.Sentence(err))
	}
	if typed == "" {
		return t.sayBoard(false)
	}
	if do, rest, ok := words.find(typed); ok { // first: an agent may name a task approve, or leave
		return do(rest)
	}
	if n, ok := t.plan.Find(typed); ok {
		return t.about(n)
	}
	return t.say("There is no such word or task here. Type help for what you can type.")
}

func (t *taskTalk) words() wordList[func(string) error] {
	on := func(do func(n int, rest string) error) func(string) error {
		return func(typed string) error {
			name, rest, _ := strings.Cut(typed, " ")
			n, ok := t.plan.Find(name)
			if !ok {
				return t.say("Name a task by its number or its key.")
			}
			return do(n, strings.TrimSpace(rest))
		}
	}
	list := wordList[func(string) error]{
		{name: "again", does: "reads out what needs you, is in work and is ready; so does Enter alone", do: func(string) error { return t.sayBoard(false) }},
		{name: "all", does: "reads out every task", do: func(string) error { return t.sayBoard(true) }},
		{name: "path", does: "says the critical path, the longest chain of tasks that are left", do: func(string) error { return t.sayPath() }},
		{name: "why", takes: "and a task", does: "says why it is not ready", do: on(func(n int, _ string) error { return t.say("%s", t.plan.Why(n)) })},
		{name: "approve", does: "reviews the plan, or what agents added to it", do: func(string) error { return t.approve() }},
		{name: "accept", takes: "and a task", does: "accepts its report; a task of your own is done", do: on(func(n int, _ string) error { return t.accept(n) })},
		{name: "back", takes: "and a task", does: "sends its report back, with what is missing", do: on(t.sendBack)},
		{name: "answer", takes: "and a task", does: "answers its agent, which is stuck, and sends the task back", do: on(t.sendBack)},
		{name: "release", takes: "and a task", does: "takes it from its agent", do: on(func(n int, _ string) error { return t.release(n) })},
		{name: "priority", takes: "a task, and 0 to 4", does: "says how urgent it is; 0 is most urgent", do: on(t.prioritize)},
		{name: "cancel", takes: "and a task", does: "cancels it, and first says what follows", do: on(func(n int, _ string) error { return t.cancel(n) })},
		{name: "leave", short: "q", does: "ends this", do: func(string) error { return errLater }},
	}
	help := func(string) error {
		lines := append([]string{"A number or a key tells of that task."}, list.help("")...)
		return t.say("%s", strings.Join(lines, "\n"))
	}
	return append(list, word[func(string) error]{name: "help", short: "?", does: "says this", do: help})
}

// sayBoard reads out the columns; without all only those that somebody can do something in.
func (t *taskTalk) sayBoard(all bool) error {
	lines := []string{"", t.plan.Title() + ": " + t.plan.Standing() + "."}
	if t.plan.Proposed() {
		lines = append(lines, "It waits for your approval; nothing begins before that. approve reviews it.")
	}
	if changes := t.plan.Changes(); changes != "" {
		lines = append(lines, changes+" approve reviews them.")
	}
	for i, column := range t.plan.Columns() {
		const told = 3 // needs you, in work, ready
		if column.Count == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %d.", column.Name, column.Count))
		if i >= told && !all {
			continue
		}
		for _, n := range column.Tasks {
			lines = append(lines, t.plan.Line(n))
		}
	}
	return t.say("%s", strings.Join(lines, "\n"))
}

func (t *taskTalk) sayPath() error {
	path := t.plan.CriticalPath()
	if len(path) == 0 {
		return t.say("Nothing is left to do.")
	}
	lines := []string{"The critical path, " + t.plan.Standing() + ":"}
	for _, n := range path {
		lines = append(lines, t.plan.Line(n))
	}
	return t.say("%s", strings.Join(lines, "\n"))
}

func (t *taskTalk) about(n int) error {
	past, err := t.Desk.Store.Past(t.ctx, t.caller(), t.plan.TaskID(n))
	if err != nil {
		return t.say("%s", wording.Sentence(err))
	}
	return t.say("\n%s", strings.Join(t.plan.About(n, past), "\n"))
}

func (t *taskTalk) caller() kept.Caller { return kept.Caller{Actor: rules.User, Name: t.By} }

// approve has the person review the plan in the same conversation.
func (t *taskTalk) approve() error {
	review, err := t.Desk.Review(t.ctx, t.plan.ID())
	if err != nil {
		return t.say("Nothing to approve: %s", wording.Sentence(err))
	}
	return t.answer(AskOptions{Store: t.Store, Terminal: t.Terminal, ID: review.ID, By: t.By, Now: t.Now, Command: t.Command})
}

func (t *taskTalk) accept(n int) error {
	id, desk := t.plan.TaskID(n), t.Desk.Decide
	accept := func(ctx context.Context) error {
		_, err := desk.Accept(ctx, t.caller(), id, safe.Text{})
		return err
	}
	if t.plan.Reported(n) {
		return t.decide("Accept "+t.plan.Name(n)+"? "+t.plan.IfDone(n), "Accepted.", accept)
	}
	if asks := t.plan.Asks(n); asks != "" {
		switch typed, err := t.ask(asks + " Type answer to answer it, done if it is done all the same; Enter alone goes back:"); {
		case err != nil:
			return err
		case typed == "answer":
			return t.sendBack(n, "")
		case typed == "done":
			return t.decide("Is "+t.plan.Name(n)+" done, although nobody reported that? "+t.plan.IfDone(n), "Done without a report.", accept)
		}
		return nil
	}
	return t.decide("Have you done "+t.plan.Name(n)+"? "+t.plan.IfDone(n), "Done.", func(ctx context.Context) error {
		_, err := desk.Finish(ctx, t.caller(), id, safe.Text{})
		return err
	})
}

func (t *taskTalk) sendBack(n int, comment string) (err error) {
	if comment == "" {
		question := "What is missing in " + t.plan.Name(n) + "?"
		if asks := t.plan.Asks(n); asks != "" {
			question = asks + " What do you answer?"
		}
		if comment, err = t.ask(question + " Enter alone goes back:"); err != nil || comment == "" {
			return err
		}
	}
	done := "Sent back."
	if t.plan.Asks(n) != "" {
		done = "Answered and sent back."
	}
	return t.write(done, func(ctx context.Context) error {
		_, err := t.Desk.Decide.SendBack(ctx, t.caller(), t.plan.TaskID(n), safe.New(comment))
		return err
	})
}

func (t *taskTalk) release(n int) error {
	return t.decide("Release "+t.plan.Name(n)+"? Others may claim it at once.", "Released.", func(ctx context.Context) error {
		_, err := t.Desk.Decide.Release(ctx, t.caller(), t.plan.TaskID(n))
		return err
	})
}

func (t *taskTalk) cancel(n int) error {
	return t.decide("Cancel "+t.plan.Name(n)+"? "+t.plan.IfCancelled(n), "Cancelled.", func(ctx context.Context) error {
		_, err := t.Desk.Decide.Cancel(ctx, t.caller(), t.plan.TaskID(n))
		return err
	})
}

func (t *taskTalk) prioritize(n int, typed string) error {
	priority, err := strconv.Atoi(typed)
	if err != nil {
		return t.say("Type the task and a number from 0 to %d, as in  priority %d 1.", rules.MaxPriority, n)
	}
	return t.write(fmt.Sprintf("P%d: %s.", priority, t.plan.Name(n)), func(ctx context.Context) error {
		_, err := t.Desk.Decide.SetPriority(ctx, t.caller(), t.plan.TaskID(n), priority)
		return err
	})
}
