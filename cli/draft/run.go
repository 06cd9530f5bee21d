package draft

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/drafts"
	"planb/drafts/command"
	"planb/questions/safe"
	"planb/store"
	"planb/store/ledger"
	"planb/store/runs"
)

func (c Commands) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run DRAFT",
		Short: "Have your own program write a draft, without an agent",
		Long: "Have the program of your setting draft.command write the draft. It gets each step on stdin, in a fresh process, and prints a\n" +
			"JSON object; no shell reads its arguments. What is wrong with an answer goes back to it twice. Where you decide, a form\n" +
			"waits in your inbox (`planb tui`), and the command waits for you. Ctrl+C, or `planb draft stop`, stops the draft.",
		Example:           "  planb config set draft.command claude,-p\n  planb draft run 3f9a1c",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args[0]) },
	}
	return cmd
}

// worker writes one draft with the person's program.
type worker struct {
	Commands
	st      *store.Store
	plan    string // id
	program command.Program
	timeout time.Duration // of a gate
	asked   map[string]bool
}

func (c Commands) run(ctx context.Context, name string) error {
	argv, err := c.Argv()
	if err != nil {
		return err
	}
	if len(argv) == 0 {
		return errors.New("no program is set that writes drafts; set your agent's command, as with `planb config set draft.command claude,-p`, or have your agent write the draft")
	}
	timeout, err := c.AnswerTimeout()
	if err != nil {
		return err
	}
	dir, err := c.ProjectDir()
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
			return fmt.Errorf("the draft %s does not run; %s", store.ShortID(plan.ID), lower(next(plan)))
		}
		held, err := st.Hold(ctx, runs.WorkerClaim(plan.ID), "planb draft run")
		if holder, ok := errors.AsType[*ledger.HeldError](err); ok {
			return fmt.Errorf("process %d writes this draft already; `planb draft stop %s` stops it", holder.Claim.PID, store.ShortID(plan.ID))
		}
		if err != nil {
			return err
		}
		w := worker{c, st, plan.ID, command.Program{Argv: argv, Dir: dir, Env: c.Env.Pairs()}, timeout, map[string]bool{}}
		err = w.work(ctx, held)
		after := context.WithoutCancel(ctx)
		if ctx.Err() != nil {
			_, _, stopped := st.Drafts().Stop(after, c.caller(), plan.ID, "planb draft run was interrupted")
			err = errors.Join(stopped, fmt.Errorf("the draft is stopped; `planb draft resume %s` goes on", store.ShortID(plan.ID)))
		}
		return errors.Join(err, held.Release(after))
	})
}

// work writes until the run has ended, or ctx.
func (w worker) work(ctx context.Context, held *ledger.Held) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	changed, err := w.st.Watch(ctx)
	if err != nil {
		return err
	}
	if _, err := w.st.Drafts().Begin(ctx, w.caller(), held, w.plan); err != nil {
		return said(err)
	}
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
		}
		step, found := first(plan, drafts.Model)
		if found {
			if err := w.write(ctx, plan, step); err != nil {
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
		}
	}
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
func (w worker) ended(plan runs.Whole) error {
	if plan.State == runs.Completed {
		return w.Tell(next(plan) + "\n")
	}
	return errors.New(lower(next(plan)))
}

// ask puts the gate into the person's inbox, once.
func (w worker) ask(ctx context.Context, plan runs.Whole, gate drafts.Step) error {
	subject := plan.Gate(gate).Subject()
	if w.asked[subject] {
		return nil
	}
	form, err := plan.Form(gate)
	if err != nil {
		return err
	}
	ask, _, err := w.st.OpenAsk(ctx, store.Ask{
		Session: plan.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: subject}, Client: ownClient(), Timeout: w.timeout,
	})
	if err != nil {
		return err
	}
	w.asked[subject] = true
	return w.Tell(fmt.Sprintf("It waits for you: “%s”. Answer with  planb tui ask %s", form.Title.Line(), store.ShortID(ask.ID)) + "\n")
}

// write has the program write one step. A step that it cannot write fails the run; one
// that somebody else wrote meanwhile, or whose inputs have changed, does not.
func (w worker) write(ctx context.Context, plan runs.Whole, step drafts.Step) error {
	text, err := plan.Draft.Frame(drafts.Ask{Step: step.ID, Limit: drafts.BareLimit, Bare: true})
	if err != nil {
		return err
	}
	if err := w.Tell(fmt.Sprintf("%s  %s …", progress(plan.Summary), step.Title) + "\n"); err != nil {
		return err
	}
	ctx, release := w.untilStopped(ctx, plan)
	defer release()
	began, tries := time.Now(), 0
	var trouble error // of the store
	err = w.program.Write(ctx, text, func(answer []byte) error {
		output, err := plan.Draft.Read(step, answer, tries)
		tries++
		if err != nil {
			return err
		}
		_, trouble = w.st.Drafts().Accept(ctx, runs.Caller{Name: filepath.Base(w.program.Argv[0])}, runs.Answer{
			Plan: plan.ID, Step: step.ID, Output: output, Inputs: plan.Draft.Inputs(step), Generation: plan.Generation,
			Usage: drafts.Usage{Tries: tries, Took: time.Since(began).Milliseconds()},
		})
		return nil
	})
	_, late := errors.AsType[*runs.DoneError](trouble)
	_, stale := errors.AsType[*runs.StaleError](trouble)
	switch {
	case ctx.Err() != nil:
		return nil // the loop sees why
	case late || stale:
		return nil
	case trouble != nil:
		return said(trouble)
	case err != nil:
		_, failed := w.st.Drafts().Fail(ctx, w.caller(), plan.ID, runs.Failure{
			Reason: runs.GenerationError, Step: step.ID, Message: safe.New(err.Error()).Line(), Recoverable: true,
		})
		return failed
	}
	return nil
}

// untilStopped returns a ctx that ends when somebody stops the run.
func (w worker) untilStopped(ctx context.Context, plan runs.Whole) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	changed, err := w.st.Watch(ctx)
	if err != nil {
		return ctx, cancel // the answer of a stopped run is kept, as any late one
	}
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				now, err := w.st.Drafts().Plan(ctx, plan.ID)
				if err == nil && (now.State.Ended() || now.Generation != plan.Generation) {
					cancel()
				}
			}
		}
	}()
	return ctx, func() {
		cancel()
		<-seen
	}
}
