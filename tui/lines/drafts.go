package lines

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	rules "planb/drafts"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/tui/ask"
	"planb/tui/drafts"
	"planb/tui/screen"
	"planb/tui/wording"
)

// DraftsOptions says which draft is read out, and how.
type DraftsOptions struct {
	Desk     drafts.Deps
	Store    ask.Store // for the forms of a draft
	Terminal screen.Terminal
	Draft    string           // the id of a draft; empty for the list of all drafts
	By       string           // names the person, user@host
	Now      func() time.Time // nil means time.Now
	Command  string           // how this program is called; empty means "planb"
}

// draftTalk reads out drafts, and lets the person decide about them.
type draftTalk struct {
	DraftsOptions
	*talk
	draft drafts.Reading
}

// Drafts reads out a draft and has the person decide about it, until they leave, ctx ends or
// the input does.
func Drafts(ctx context.Context, o DraftsOptions) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Command = cmp.Or(o.Command, "planb")
	t := &draftTalk{DraftsOptions: o, talk: newTalk(ctx, o.Terminal)}
	if o.Draft == "" {
		return unlessLeft(t.choose())
	}
	return unlessLeft(t.follow(o.Draft))
}

// choose lists all drafts, and reads out the one that the person names.
func (t *draftTalk) choose() error {
	return choose(t.talk, aList[drafts.Listed]{
		name:   "Drafts",
		empty:  fmt.Sprintf("There are no drafts yet. %s draft new begins one.", safe.New(t.Command).Line()),
		number: "A number reads that draft out",
		read:   t.Desk.Drafts,
	}, t.follow)
}

// follow reads a draft out and obeys what is typed.
func (t *draftTalk) follow(id string) error {
	if err := t.read(id); err != nil {
		return t.say("%s", wording.Sentence(err))
	}
	if err := t.saySteps(); err != nil {
		return err
	}
	words := t.words()
	return t.obeyAll("A number reads that section out, help tells the rest:", "Draft:", func(typed string) error { return t.obey(typed, words) })
}

func (t *draftTalk) read(id string) (err error) {
	ctx, cancel := context.WithTimeout(t.ctx, screen.StorePatience)
	defer cancel()
	t.draft, err = t.Desk.Read(ctx, id)
	return err
}

// obey does what was typed, to the draft as it is now.
func (t *draftTalk) obey(typed string, words wordList[func(string) error]) error {
	if err := t.read(t.draft.Whole().ID); err != nil {
		return t.say("%s", wording.Sentence(err))
	}
	if typed == "" {
		return t.saySteps()
	}
	if step, ok := t.draft.Find(typed); ok {
		return t.say("\n%s", strings.Join(t.draft.About(step), "\n"))
	}
	if do, rest, ok := words.find(typed); ok {
		return do(rest)
	}
	return t.say("There is no such word or section here. Type help for what you can type.")
}

func (t *draftTalk) words() wordList[func(string) error] {
	plain := func(do func() error) func(string) error { return func(string) error { return do() } }
	list := wordList[func(string) error]{
		{name: "again", does: "reads out the steps; so does Enter alone", do: plain(t.saySteps)},
		{name: "answer", takes: "or answer and a section of yours", does: "answers the form that waits for you, or that section again", do: t.answerGate},
		{name: "write", takes: "a section, and what is to be different", does: "has the section written again", do: t.writeAgain},
		{name: "place", takes: "and a number, phases or tasks", does: "makes the schedule with that many tasks at once; with phases one after another, or not; with tasks that wait for others, or not", do: t.place},
		{name: "stop", does: "stops the writing", do: plain(t.stop)},
		{name: "continue", does: "lets the writing go on after a stop or a failure", do: plain(t.resume)},
		{name: "anew", does: "has all written anew after a stop or a failure", do: plain(t.retry)},
		{name: "save", does: "saves the report as the next version of the plan of its session", do: plain(t.save)},
		{name: "leave", short: "q", does: "ends this", do: func(string) error { return errLater }},
	}
	help := func(string) error {
		lines := append([]string{"A number or an id reads that section out."}, list.help("")...)
		return t.say("%s", strings.Join(append(lines, "To edit a section, use the screen: "+safe.New(t.Command).Line()+" tui drafts, without ACCESSIBLE."), "\n"))
	}
	return append(list, word[func(string) error]{name: "help", short: "?", does: "says this", do: help})
}

// saySteps reads out how the draft stands, and its steps.
func (t *draftTalk) saySteps() error {
	lines := []string{"", t.draft.Title() + ": " + t.draft.Standing() + "."}
	if waiting := t.draft.ForYou(); len(waiting) > 0 {
		lines = append(lines, "It waits for you; answer opens the form.")
	}
	return t.say("%s", strings.Join(append(lines, t.draft.Steps()...), "\n"))
}

// answerGate has the person answer the form of a step in the same conversation: of the step that
// they named, also if they answered it before, else of the one that waits for them.
func (t *draftTalk) answerGate(named string) error {
	w, waiting := t.draft.Whole(), t.draft.ForYou()
	if named != "" {
		step, ok := t.draft.Find(named)
		switch {
		case !ok || step.Author != rules.Person:
			return t.say("No form asks for that section.")
		case !slices.ContainsFunc(waiting, func(s rules.Step) bool { return s.ID == step.ID }):
			again, err := t.askAgain(step)
			if err != nil || again == nil {
				return err
			}
			w = *again
		}
		waiting = []rules.Step{step}
	}
	if len(waiting) == 0 {
		return t.say("No form of this draft waits for you; answer and the number of a section of yours asks you that again.")
	}
	form, err := t.Desk.Gate(t.ctx, w, waiting[0])
	if err != nil {
		return t.say("The form could not be opened: %s", wording.Sentence(err))
	}
	return t.answer(AskOptions{Store: t.Store, Terminal: t.Terminal, ID: form.ID, By: t.By, Now: t.Now, Command: t.Command})
}

// askAgain takes the person's answer to a step back, if they agree, and returns the draft then.
func (t *draftTalk) askAgain(step rules.Step) (*runs.Whole, error) {
	if !t.draft.Written(step) {
		return nil, t.say("It is not written yet.")
	}
	sure, err := t.sure("Answer “" + step.Name + "” again? Until you answer again, the first answer does not count. What was written from your answer is written again if your answer changes. Type yes:")
	if err != nil || !sure {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(t.ctx, screen.StorePatience)
	defer cancel()
	now := t.draft.Whole()
	now, _, err = t.Desk.Store.Regenerate(ctx, t.caller(), now.ID, step.ID, now.Draft.Records[step.ID].SHA256, "")
	if err != nil {
		return nil, t.say("That could not be done: %s", wording.Sentence(runs.Plainly(err)))
	}
	return &now, nil
}

func (t *draftTalk) caller() runs.Caller { return runs.Caller{Name: t.By, Person: true} }

// write is write of the conversation. It leaves out which tool an agent is to call.
func (t *draftTalk) write(done string, do func(ctx context.Context) error) error {
	return t.talk.write(done, refusing(do))
}

// decide is decide of the conversation, in the same way.
func (t *draftTalk) decide(question, done string, do func(ctx context.Context) error) error {
	return t.talk.decide(question, done, refusing(do))
}

func refusing(do func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error { return runs.Plainly(do(ctx)) }
}

// writeAgain has a section written again. typed is its number or id, and the guidance.
func (t *draftTalk) writeAgain(typed string) error {
	name, guidance, _ := strings.Cut(typed, " ")
	step, ok := t.draft.Find(name)
	switch {
	case !ok:
		return t.say("Name a section by its number or its id, as in  write 3 shorter.")
	case step.Author != rules.Model:
		return t.say("No model writes that section.")
	case !t.draft.Written(step):
		return t.say("It is not written yet.")
	}
	w := t.draft.Whole()
	return t.decide("Have “"+step.Title+"” written again?", "It is written again.", func(ctx context.Context) error {
		_, _, err := t.Desk.Store.Regenerate(ctx, t.caller(), w.ID, step.ID, w.Draft.Records[step.ID].SHA256, strings.TrimSpace(guidance))
		return err
	})
}

// place has the schedule made with other flags.
func (t *draftTalk) place(typed string) error {
	w := t.draft.Whole()
	f := w.Draft.Flags
	switch n, err := strconv.Atoi(typed); {
	case typed == "phases":
		f.PhaseOrder = !f.PhaseOrder
	case typed == "tasks":
		f.Edges = !f.Edges
	case err == nil:
		f.Parallel = n
	default:
		return t.say("The schedule is made with %s. Name a number, phases or tasks, as in  place 3.", f)
	}
	return t.decide(fmt.Sprintf("Make the schedule with %s?", f), "The schedule is made with that.", func(ctx context.Context) error {
		_, _, err := t.Desk.Store.Place(ctx, t.caller(), w.ID, f)
		return err
	})
}

func (t *draftTalk) stop() error {
	return t.decide("Stop the writing? What is written stays.", "Stopped.", func(ctx context.Context) error {
		_, _, err := t.Desk.Store.Stop(ctx, t.caller(), t.draft.Whole().ID, "")
		return err
	})
}

func (t *draftTalk) resume() error {
	return t.write("It goes on, once an agent or a program writes it.", func(ctx context.Context) error {
		_, _, err := t.Desk.Store.Resume(ctx, t.caller(), t.draft.Whole().ID, runs.Resumption{})
		return err
	})
}

func (t *draftTalk) retry() error {
	return t.decide("Have all written anew? What you edited stays.", "All is written anew, once an agent or a program writes it.", func(ctx context.Context) error {
		_, err := t.Desk.Store.Retry(ctx, t.caller(), t.draft.Whole().ID, "")
		return err
	})
}

func (t *draftTalk) save() error {
	return t.write("Saved.", func(ctx context.Context) error {
		_, err := t.Desk.SaveReport(ctx, t.draft.Whole())
		return err
	})
}
