package draft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/drafts"
	"planb/drafts/shape"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/ledger"
	"planb/store/runs"
)

func (c Commands) runCommand() *cobra.Command {
	var profile string
	cmd := &cobra.Command{
		Use:   "run DRAFT",
		Short: "Have your own program, or a server's models, write a draft without an agent",
		Long: "Have the program of your setting draft.command write the draft. It gets each step on stdin, in a fresh process, and prints a\n" +
			"JSON object; no shell reads its arguments. A wrong answer goes back to it twice, with what is wrong. Where you decide, a form\n" +
			"waits in your inbox (`planb tui`), and the command waits for you. Ctrl+C, or `planb draft stop`, stops the draft.\n\n" +
			"If you set draft.base_url and the models of a profile, an OpenAI-compatible server can write instead. It writes the drafts that\n" +
			"were begun with the profile, and all others if you set no program. Without draft.base_url planb opens no connection.",
		Example:           "  planb config set draft.command claude,-p\n  planb draft run 3f9a1c",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args[0], profile) },
	}
	cmd.Flags().StringVar(&profile, "profile", "", "the profile `NAME`, whose models write: baseline, premium, frontier or custom")
	frame.CompleteFlag(cmd, "profile", drafts.Profiles()...)
	return cmd
}

// worker writes one draft.
type worker struct {
	Commands
	st      *store.Store
	plan    string // id
	writer  writer
	timeout time.Duration     // of a gate
	asked   map[string]string // the newest form of a gate, by the gate's subject
	replies map[string]bool   // forms that the person replied to, and was told what follows
	waiting *ledger.Held      // says that this process waits for the form that it asked last

	generation int                 // of the steps that are being written
	writing    map[string]bool     // steps
	failed     map[string]finished // steps that could not be written
	denied     bool                // no other step would go better
	finished   chan finished
}

// finished is a step that is no longer written.
type finished struct {
	step drafts.Step
	err  error // why it was not written; nil also for one that was not needed any more
	// trouble is a fault of the store.
	trouble error
}

func (c Commands) run(ctx context.Context, name, profile string) error {
	timeout, err := c.AnswerTimeout()
	if err != nil {
		return err
	}
	ctx, restore := frame.UntilSignal(ctx)
	defer restore()
	return c.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		plan, err := c.find(ctx, st, name)
		if err != nil {
			return err
		}
		if plan.State.Ended() {
			return fmt.Errorf("the draft %s does not run; %s", store.ShortID(plan.ID), lower(c.next(plan, gateForm{})))
		}
		held, err := st.Hold(ctx, runs.WorkerClaim(plan.ID), "planb draft run")
		if holder, ok := errors.AsType[*ledger.HeldError](err); ok {
			return fmt.Errorf("process %d writes this draft already; `planb draft stop %s` stops it", holder.Claim.PID, store.ShortID(plan.ID))
		}
		if err != nil {
			return err
		}
		after := context.WithoutCancel(ctx)
		w := worker{
			Commands: c, st: st, plan: plan.ID, timeout: timeout, asked: map[string]string{}, replies: map[string]bool{},
			writing: map[string]bool{}, failed: map[string]finished{}, finished: make(chan finished),
		}
		if w.writer, err = c.writer(plan, profile); err != nil {
			return errors.Join(err, w.cannot(after, plan, err), held.Release(after))
		}
		err = w.work(ctx, held)
		w.writer.close()
		if ctx.Err() != nil {
			_, _, stopped := st.Drafts().Stop(after, c.caller(), plan.ID, "planb draft run was interrupted")
			err = errors.Join(stopped, fmt.Errorf("the draft is stopped; `planb draft resume %s` goes on", store.ShortID(plan.ID)))
		}
		return errors.Join(err, held.Release(after))
	})
}

// cannot fails a draft that no model can begin to write, so that whoever waits for it
// learns of that.
func (w *worker) cannot(ctx context.Context, plan runs.Whole, why error) error {
	if plan.Profile == "" {
		return nil
	}
	short := store.ShortID(plan.ID)
	_, err := w.st.Drafts().Fail(ctx, w.caller(), plan.ID, runs.Failure{
		Reason: runs.WorkerError, Recoverable: true,
		Message: safe.New(why.Error()).Line() + ". Then: planb draft resume " + short + " && planb draft run " + short,
	})
	return err
}

// work writes until the run has ended, or ctx.
func (w *worker) work(ctx context.Context, held *ledger.Held) (err error) {
	ctx, end := context.WithCancel(ctx)
	defer w.drain()
	defer end()
	defer func() { err = errors.Join(err, w.endWait(context.WithoutCancel(ctx))) }()
	changed, err := w.st.Watch(ctx)
	if err != nil {
		return err
	}
	begun, err := w.st.Drafts().Begin(ctx, w.caller(), held, w.plan)
	if err != nil {
		return said(err)
	}
	w.generation = begun.Generation
	for {
		plan, err := w.st.Drafts().Plan(ctx, w.plan)
		if err == nil {
			plan, err = w.st.Drafts().Advance(ctx, plan)
		}
		switch {
		case err != nil:
			return said(err)
		case plan.State.Ended():
			return w.ended(plan)
		case plan.Generation != w.generation:
			return errors.New("the draft was begun anew meanwhile")
		}
		if err := w.start(ctx, plan); err != nil {
			return err
		}
		if len(w.failed) > 0 && (len(w.writing) == 0 || w.denied) {
			if err := w.fail(ctx, plan); err != nil {
				return err
			}
			continue
		}
		if gate, found := first(plan, drafts.Person); found {
			if err := w.ask(ctx, plan, gate); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-held.Lost():
			return errors.New("another process writes this draft now")
		case <-changed:
		case f := <-w.finished:
			if err := w.note(f); err != nil {
				return err
			}
		}
	}
}

// start begins the steps that are ready, as many as the writer writes at once.
func (w *worker) start(ctx context.Context, plan runs.Whole) error {
	for _, step := range plan.Draft.ReadySteps() {
		_, failed := w.failed[step.ID]
		if step.Author != drafts.Model || w.writing[step.ID] || failed || w.denied || len(w.writing) >= w.writer.atOnce() {
			continue
		}
		if err := w.Tell(fmt.Sprintf("%s  %s …", progress(plan.Summary), step.Name) + "\n"); err != nil {
			return err
		}
		w.writing[step.ID] = true
		go func() { w.finished <- w.write(ctx, plan, step) }()
	}
	return nil
}

// note notes how a step ended. An error is one that ends the work.
func (w *worker) note(f finished) error {
	delete(w.writing, f.step.ID)
	if f.err != nil {
		w.failed[f.step.ID], w.denied = f, w.denied || hopeless(f.err)
	}
	if f.trouble != nil {
		return said(f.trouble)
	}
	return nil
}

// drain waits for the steps that are being written. Their ctx has ended.
func (w *worker) drain() {
	for range w.writing {
		<-w.finished
	}
}

// fail ends the run because of the first step that could not be written: all that is left waits for
// such steps, or could not be written either.
func (w *worker) fail(ctx context.Context, plan runs.Whole) error {
	for _, step := range plan.Draft.Steps() {
		if f, failed := w.failed[step.ID]; failed {
			failure, attempts := failure(step, f.err)
			failure.Message = safe.New(failure.Message).Line()
			_, err := w.st.Drafts().Fail(ctx, w.caller(), plan.ID, failure, attempts...)
			return err
		}
	}
	return nil
}

// first returns the first ready step of an author.
func first(plan runs.Whole, author drafts.Author) (drafts.Step, bool) {
	for _, s := range plan.Draft.ReadySteps() {
		if s.Author == author {
			return s, true
		}
	}
	return drafts.Step{}, false
}

// ended says how the run ended.
func (w *worker) ended(plan runs.Whole) error {
	if plan.State == runs.Completed {
		return w.Tell(w.next(plan, gateForm{}) + "\n")
	}
	return errors.New(lower(w.next(plan, gateForm{})))
}

// ask puts the gate into the person's inbox, once. A form that ended without a decision is
// followed by a new one: it was declined before the draft went on, or replied to, or
// withdrawn.
func (w *worker) ask(ctx context.Context, plan runs.Whole, gate drafts.Step) error {
	subject := plan.Gate(gate).Subject()
	if id := w.asked[subject]; id != "" {
		ask, err := w.st.Ask(ctx, id)
		if err != nil || ask.Open() {
			return err
		}
		if waits, err := w.waits(ctx, subject); err != nil || !waits {
			return err
		}
	}
	form, err := plan.Form(gate)
	if err != nil {
		return err
	}
	wanted := store.Ask{
		Session: plan.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: subject}, Client: ownClient(), Timeout: w.timeout,
	}
	ask, _, err := w.st.OpenAsk(ctx, wanted)
	if err == nil && !ask.Open() {
		if waits, err := w.waits(ctx, subject); err != nil || !waits {
			return err
		}
		if left, err := w.pass(ctx, ask); err != nil || left {
			return err
		}
		ask, _, err = w.st.OpenAsk(ctx, wanted)
	}
	switch {
	case errors.Is(err, runs.ErrDecided): // since the plan was read; the loop reads it again
		return nil
	case err != nil:
		return err
	}
	w.asked[subject] = ask.ID
	if err := w.wait(ctx, ask.ID); err != nil {
		return err
	}
	return w.Tell(fmt.Sprintf("It waits for you: “%s”. Answer with  planb tui ask %s", form.Title.Line(), store.ShortID(ask.ID)) + "\n")
}

// wait has the screens say that somebody waits for a form, and no longer for the one before.
func (w *worker) wait(ctx context.Context, ask string) error {
	if err := w.endWait(ctx); err != nil {
		return err
	}
	var err error
	w.waiting, err = w.st.Hold(ctx, store.WaitClaim(ask, fmt.Sprintf("draft run %d", os.Getpid())), "planb draft run")
	return err
}

func (w *worker) endWait(ctx context.Context) error {
	if w.waiting == nil {
		return nil
	}
	return w.waiting.Release(ctx)
}

// waits reports whether the plan still waits for a gate whose form has ended. The plan is read
// again for that: the outcome may have stopped it since the loop read it.
func (w *worker) waits(ctx context.Context, subject string) (bool, error) {
	now, err := w.st.Drafts().Plan(ctx, w.plan)
	return err == nil && !now.State.Ended() && now.Asks(subject), err
}

// pass marks a form that ended without a decision as delivered, because the gate is asked again
// only then. If the person replied to it and the session is an agent's, pass leaves the form to
// that agent, which gets the reply with its next result; left is true then.
func (w *worker) pass(ctx context.Context, ask store.Ask) (left bool, err error) {
	if ask.Outcome.State != questions.Discuss {
		return false, w.st.Deliver(ctx, ask.ID)
	}
	session, err := w.st.Session(ctx, ask.Session)
	if err != nil {
		return false, err
	}
	left = session.Client.Name != ownClient().Name
	if !w.replies[ask.ID] {
		w.replies[ask.ID] = true
		then := "No agent writes this draft, so nobody answers; the form waits for you again."
		if left {
			then = "The agent gets that with its next result; then the form waits for you again. " +
				"If that agent has ended, open the draft in  planb tui  and answer its form there."
		}
		if err := w.Tell(fmt.Sprintf("You replied: “%s”. %s", ask.Outcome.Message.Line(), then) + "\n"); err != nil {
			return false, err
		}
	}
	if left {
		return true, nil
	}
	return false, w.st.Deliver(ctx, ask.ID)
}

// write lets the writer write one step. It is no failure if somebody else wrote the step
// meanwhile, or if the step's inputs have changed.
func (w *worker) write(ctx context.Context, plan runs.Whole, step drafts.Step) finished {
	began, tries := time.Now(), 0
	var trouble error // of the store
	err := w.writer.write(ctx, plan.Draft, step, func(a answer) error {
		output, err := plan.Draft.Read(step, a.object, tries)
		tries++
		if err != nil {
			return err
		}
		_, trouble = w.st.Drafts().Accept(ctx, runs.Caller{Name: a.by}, runs.Answer{
			Plan: plan.ID, Step: step.ID, Output: output, Inputs: plan.Draft.Inputs(step), Generation: plan.Generation, Model: a.model,
			Usage: drafts.Usage{Tries: tries, Took: time.Since(began).Milliseconds(), In: a.in, Out: a.out}, Failed: a.failed,
		})
		if problems, ok := errors.AsType[shape.Problems](trouble); ok { // beside what others wrote meanwhile
			trouble = nil
			return problems
		}
		return nil
	})
	_, late := errors.AsType[*runs.DoneError](trouble)
	_, stale := errors.AsType[*runs.StaleError](trouble)
	switch {
	case late || stale || ctx.Err() != nil: // the loop sees why
		return finished{step: step}
	case trouble != nil:
		return finished{step: step, trouble: trouble}
	}
	return finished{step: step, err: err}
}
