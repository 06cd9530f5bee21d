package drafts

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/drafts/schedule"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// decision is a question about a draft. It stays about the step, whatever changes meanwhile.
type decision struct {
	prompt.Prompt
	act  keymap.Action
	step rules.Step
	over screen.Screen // on which it was asked
	// flags and placed are the schedule that the person tries; placed is nil in other questions.
	flags  schedule.Flags
	placed *schedule.Schedule
}

// below reports whether it is asked below the page, so that the person sees what each answer
// changes there. All others lie over it.
func (d *decision) below() bool { return d != nil && d.placed != nil }

// over lays what is asked over a drawn page.
func (s *Screen) over(page screen.Page, frame screen.Frame) screen.Frame {
	if s.asked == nil || s.asked.below() {
		return frame
	}
	return s.asked.Over(page, frame, s.status)
}

// Messages about what became of a decision.
type (
	decided struct {
		screen *Screen
		said   string
		err    error
		// again is what is asked once more after a failure: it has the person's text.
		again *decision
	}
	gateMade struct {
		screen *Screen
		over   screen.Screen
		ask    store.Ask
		err    error
	}
)

func (m decided) owner() *Screen  { return m.screen }
func (m gateMade) owner() *Screen { return m.screen }

// say tells the person something below the body.
func (s *Screen) say(words string) tea.Cmd {
	s.status = words
	return nil
}

// decide does the action of a key for the draft or for the step under the cursor. It
// reports whether the key has such an action. over is the screen on which it was
// pressed.
func (s *Screen) decide(act keymap.Action, step rules.Step, known bool, over screen.Screen) (cmd tea.Cmd, done bool) {
	if s.draft == nil {
		return nil, false
	}
	switch act {
	case keymap.Stop:
		return s.askStop(over), true
	case keymap.Resume:
		return s.askResume(over), true
	case keymap.OpenReport:
		return s.report(), true
	case keymap.SaveReport:
		return s.save(), true
	case keymap.AnswerGate:
		return s.askAnswer(step, known, over), true
	case keymap.Flags:
		return s.askFlags(over), true
	}
	if !known { // as on the schedule
		switch act {
		case keymap.Regenerate, keymap.ReviewSection, keymap.Edit, keymap.Origin:
			return s.say("That is for a section." + keymap.Tells(s.keys, " The key ", keymap.Next, " goes to the steps.")), true
		}
		return nil, false
	}
	switch act {
	case keymap.Regenerate:
		return s.askGuidance(step, over), true
	case keymap.ReviewSection:
		return s.review(step, over), true
	case keymap.Edit:
		return s.edit(step), true
	case keymap.Origin:
		return screen.Send(screen.Push{Screen: newOrigin(s, step.ID), Over: over}), true
	}
	return nil, false
}

// ask puts a question to the person.
func (s *Screen) ask(act keymap.Action, step rules.Step, over screen.Screen, p prompt.Prompt) tea.Cmd {
	p.Keys = keymap.Leaving(s.keys, p.Keys)
	s.asked = &decision{Prompt: p, act: act, step: step, over: over}
	return nil
}

func (s *Screen) askStop(over screen.Screen) tea.Cmd {
	if s.draft.State.Ended() {
		return s.say("Nobody writes it: it is " + s.draft.condition().Word() + ".")
	}
	return s.ask(keymap.Stop, rules.Step{}, over, prompt.Prompt{
		Question: "Stop the writing?", Keys: keymap.Stopping(),
		Tells: "“" + title(s.draft.Summary) + "” keeps what is written, and also an answer that comes later." +
			keymap.Tells(s.keys, " Once it is stopped, the key ", keymap.Resume, " has the writing go on."),
	})
}

func (s *Screen) askResume(over screen.Screen) tea.Cmd {
	p := s.draft
	switch {
	case p.State == runs.Completed && p.Detail == rules.Brief:
		return s.ask(keymap.Resume, rules.Step{}, over, prompt.Prompt{
			Question: "Let this brief draft grow into a full one?", Keys: keymap.Growing(),
			Tells: "What is there stays. Twelve more sections are written, and those that read them are written again: about 20 more answers of a model.",
		})
	case p.State == runs.Completed:
		return s.say("All of it is written.")
	case !p.State.Ended():
		switch p.condition() {
		case rules.DraftToBeWritten, rules.DraftStalled:
			return s.say(onceWritten(p.ID))
		case rules.DraftBeingWritten:
			return s.say("It goes on already: " + p.happens() + ".")
		}
		return s.say("It is not stopped: " + p.happens() + ".")
	case p.State == runs.Failed && p.Draft.Rejected() != "":
		return s.say("Its prompt cannot be planned: " + safe.New(p.Draft.Rejected()).Line() + "." +
			keymap.Tells(s.keys, " The key ", keymap.Edit, " on Brief changes that verdict."))
	}
	return s.ask(keymap.Resume, rules.Step{}, over, prompt.Prompt{
		Question: "Let the writing go on?", Keys: keymap.Resuming(),
		Tells: "It " + p.ended() + " What is written stays, unless all is written anew; what you edited stays in any case.",
	})
}

// ended says in a sentence why the run does not go on.
func (p *draft) ended() string {
	switch p.condition() {
	case rules.DraftFailed:
		return "failed" + strings.TrimSuffix(p.failure(), ".") + "."
	case rules.DraftStopped:
		return "was stopped " + strings.TrimSuffix(p.stopWords(), ".") + "."
	}
	return "has ended."
}

func (s *Screen) askAnswer(step rules.Step, known bool, over screen.Screen) tea.Cmd {
	if waiting := s.draft.stepsIn(rules.StepForYou); len(waiting) > 0 && (!known || s.draft.state(step) != rules.StepForYou) && step.Author != rules.Person {
		return s.answer(waiting[0], over)
	}
	switch {
	case !known || step.Author != rules.Person:
		return s.say("No form waits for you. The steps " + wording.List(titles(s.draft.yours())) + " are yours.")
	case s.draft.state(step) == rules.StepForYou:
		return s.answer(step, over)
	case s.draft.Draft.Output(step.ID) == nil:
		return s.say(s.draft.why(step))
	}
	return s.ask(keymap.AnswerGate, step, over, prompt.Prompt{
		Question: "Answer “" + step.Name + "” again?", Keys: keymap.AnsweringAgain(),
		Tells: "What was written from your answer is written again if your answer changes. Until you answer again, the first answer does not count.",
	})
}

// yours are the steps that the person writes.
func (p *draft) yours() (list []rules.Step) {
	for _, s := range p.steps {
		if s.Author == rules.Person {
			list = append(list, s)
		}
	}
	return list
}

// unwritable says why nobody can write a step again; empty if a model can.
func (s *Screen) unwritable(step rules.Step) string {
	switch {
	case step.Author == rules.Person:
		return "That is yours." + keymap.Tells(s.keys, " ", keymap.AnswerGate, " answers its form again.")
	case step.Author == rules.Code:
		return "planb makes it from the steps before; have one of those written again."
	case s.draft.Draft.Output(step.ID) == nil:
		return "It is not written yet."
	}
	return ""
}

func (s *Screen) askGuidance(step rules.Step, over screen.Screen) tea.Cmd {
	if why := s.unwritable(step); why != "" {
		return s.say(why)
	}
	err := s.ask(keymap.Regenerate, step, over, prompt.Prompt{})
	tells := "What is to be different? The agent reads what you write here. If you write nothing, it begins anew."
	switch n := s.draft.Draft.Behind(step); n {
	case 0:
	case 1:
		tells += " If the section changes, 1 after it is written again."
	default:
		tells += fmt.Sprintf(" If the section changes, up to %d after it are written again.", n)
	}
	s.asked.Write("Have “"+step.Name+"” written again?", tells, keymap.Leaving(nil, keymap.Guiding()))
	return err
}

// maxGuidance is the most bytes of a guidance.
const maxGuidance = 2000

// typing are the keys while something is asked; nil while nothing is.
func (s *Screen) typing() []keymap.Binding {
	if s.asked == nil {
		return nil
	}
	return s.asked.Keys
}

// pressAnswer handles a key while something is asked. A key that is no answer does nothing.
func (s *Screen) pressAnswer(msg tea.KeyPressMsg) tea.Cmd { return s.obey(s.asked.Press(msg)) }

// clickAnswer handles a click on the page while something is asked.
func (s *Screen) clickAnswer(page screen.Page, mouse tea.Mouse) tea.Cmd {
	if s.asked.below() {
		return nil
	}
	return s.obey(s.asked.Click(page, mouse, s.status))
}

// obey does what was answered.
func (s *Screen) obey(act keymap.Action) tea.Cmd {
	asked := s.asked
	switch act {
	case keymap.Escape:
		s.asked = nil
		return nil
	case keymap.Yes, keymap.All, keymap.Submit:
	default:
		if asked.act == keymap.Flags {
			s.try(act)
		}
		return nil
	}
	if act == keymap.Submit {
		if text := asked.Written(); len(text.Raw()) > maxGuidance {
			return s.say(fmt.Sprintf("That has %s; at most %s are kept.", wording.Bytes(len(text.Raw())), wording.Bytes(maxGuidance)))
		}
	}
	s.asked = nil
	switch asked.act {
	case keymap.Stop:
		return s.stop()
	case keymap.Resume:
		return s.resume(act == keymap.All)
	case keymap.AnswerGate:
		return s.answerAgain(asked.step, asked.over)
	case keymap.Regenerate:
		return s.regenerate(asked)
	case keymap.Flags:
		return s.place(asked.flags)
	}
	return nil
}

// write does something to the draft, and says what became of it.
func (s *Screen) write(do func(ctx context.Context) (said string, err error)) tea.Cmd {
	return s.writes.Begin(func(ctx context.Context) (tea.Msg, error) {
		said, err := do(ctx)
		return decided{screen: s, said: said, err: err}, err
	})
}

func (s *Screen) stop() tea.Cmd {
	d, id := s.deps, s.draft.ID
	return s.write(func(ctx context.Context) (string, error) {
		_, stopped, err := d.Store.Stop(ctx, d.caller(), id, "stopped at the screen")
		if err == nil && !stopped {
			return "It had ended already.", nil
		}
		return "Stopped.", err
	})
}

func (s *Screen) resume(anew bool) tea.Cmd {
	d, id, r := s.deps, s.draft.ID, runs.Resumption{}
	if s.draft.State == runs.Completed {
		r.Detail = rules.Full
	}
	return s.write(func(ctx context.Context) (string, error) {
		if anew {
			_, err := d.Store.Retry(ctx, d.caller(), id, "")
			return "All is written anew, once an agent or planb draft run " + short(id) + " writes it.", err
		}
		_, _, err := d.Store.Resume(ctx, d.caller(), id, r)
		return onceWritten(id), err
	})
}

// onceWritten says what has a draft go on that nobody writes now.
func onceWritten(id string) string {
	return "It goes on, once an agent or planb draft run " + short(id) + " writes it."
}

func (s *Screen) regenerate(asked *decision) tea.Cmd {
	step, guidance := asked.step, asked.Written()
	d, id, sha := s.deps, s.draft.ID, s.draft.Draft.Records[step.ID].SHA256
	return s.writes.Begin(func(ctx context.Context) (tea.Msg, error) {
		w, _, err := d.Store.Regenerate(ctx, d.caller(), id, step.ID, sha, guidance.Raw())
		msg := decided{screen: s, said: againWords(step, w.Draft), err: err}
		if err != nil && !guidance.Blank() {
			msg.again = asked
		}
		return msg, err
	})
}

// againWords say what is written again.
func againWords(step rules.Step, d rules.Draft) string {
	about := "“" + step.Name + "” is written again"
	switch n := d.Behind(step); n {
	case 0:
		return about + "."
	case 1:
		return about + ", and 1 section after it, if it changes."
	default:
		return fmt.Sprintf("%s, and up to %d sections after it, if it changes.", about, n)
	}
}

// answerAgain opens the form of a step that the person answered before.
func (s *Screen) answerAgain(step rules.Step, over screen.Screen) tea.Cmd {
	d, id, sha := s.deps, s.draft.ID, s.draft.Draft.Records[step.ID].SHA256
	return s.writes.Begin(func(ctx context.Context) (tea.Msg, error) {
		w, _, err := d.Store.Regenerate(ctx, d.caller(), id, step.ID, sha, "")
		if err != nil {
			return decided{screen: s, err: err}, err
		}
		opened, err := d.Gate(ctx, w, step)
		return gateMade{s, over, opened, err}, err
	})
}

// answer opens the form of a step that waits for the person.
func (s *Screen) answer(step rules.Step, over screen.Screen) tea.Cmd {
	d, w := s.deps, s.draft.Whole
	return screen.Within(func(ctx context.Context) tea.Msg {
		opened, err := d.Gate(ctx, w, step)
		return gateMade{s, over, opened, err}
	})
}

func (s *Screen) report() tea.Cmd {
	d, w := s.deps, s.draft.Whole
	switch {
	case d.OpenReport == nil:
		return s.say("No browser can be opened here: planb draft report " + short(w.ID) + " prints the report.")
	case w.Done == 0:
		return s.say("Nothing is written yet.")
	}
	return s.write(func(ctx context.Context) (string, error) { return d.OpenReport(ctx, w) })
}

func (s *Screen) save() tea.Cmd {
	d, w := s.deps, s.draft.Whole
	if w.Done == 0 {
		return s.say("Nothing is written yet.")
	}
	return s.write(func(ctx context.Context) (string, error) {
		version, err := d.SaveReport(ctx, w)
		return fmt.Sprintf("Saved as v%d of the plan of its session.", version), err
	})
}

// heardDecision handles what became of a decision.
func (s *Screen) heardDecision(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case decided:
		s.writes.Told()
		if s.status = msg.said; msg.err != nil {
			s.status = undone(msg.err)
			if s.asked == nil {
				s.asked = msg.again
			}
		}
	case gateMade:
		s.writes.Told()
		if msg.err != nil {
			return s.say("The form could not be opened: " + wording.Sentence(runs.Plainly(msg.err)))
		}
		return screen.Send(screen.Push{Screen: s.deps.OpenForm(retro.Form{Ask: msg.ask}), Over: msg.over})
	case sectionReviewed:
		s.writes.Told()
		if msg.err == nil {
			s.status = msg.said
		}
	case editorReady:
		return s.runEditor(msg)
	case editorLeft:
		return s.edited(msg)
	case editWritten:
		return s.wrote(msg)
	}
	return nil
}

func undone(err error) string {
	return "That could not be done: " + wording.Sentence(runs.Plainly(err))
}
